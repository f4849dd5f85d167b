import { act, attempt } from './act.ts';
import { type Body, call } from './api.ts';
import { blockElements } from './blocks.ts';
import { commentContent } from './comment-content.ts';
import { h, part } from './dom.ts';
import { writingForm } from './form.ts';
import { dayAndTime } from './format.ts';
import { getSession, nameOf } from './pane.ts';

/** The comments of a record, and writing one. They are shown as text. */

type Comment = Body<'listComments'>['comments'][number];

function commentElement(comment: Comment, all: Comment[], changed: () => unknown): HTMLElement {
  const { agent, user_id, created_at, status, plain_text, parent_comment_id, reactions } = comment;
  const author = agent ? 'Assistant' : nameOf(user_id);
  const parent = all.find(({ id }) => id === parent_comment_id);
  const answered = parent && (parent.agent ? 'the assistant' : nameOf(parent.user_id));
  return h(
    'li',
    { class: 'comment' },
    h(
      'p',
      {},
      h('strong', {}, author),
      ' ',
      h('span', { class: 'quiet' }, created_at && dayAndTime(created_at), answered && `, to ${answered}`),
    ),
    ...(agent && status === 'complete'
      ? blockElements(comment, changed)
      : [h('div', { class: 'plain', dir: 'auto' }, status === 'pending' ? 'Thinking ...' : plain_text)]),
    reactions.length > 0 &&
      h(
        'p',
        { class: 'quiet' },
        reactions.map(({ text, user_id }) => `${text} ${nameOf(user_id)}`).join(', '),
      ),
  );
}

export interface Comments {
  element: HTMLElement;
  show(comments: Comment[]): void;
  focus(): void;
}

/** `path` is that of the record, such as `/threads/<id>`. */
export function commentsPart(path: string, changed: () => unknown): Comments {
  const list = part<Comment[]>((comments) => [
    comments.length === 0
      ? h('p', { class: 'quiet' }, 'No comments.')
      : h(
          'ol',
          { class: 'comments' },
          ...comments.map((comment) => commentElement(comment, comments, changed)),
        ),
  ]);
  const form = writingForm({
    label: 'Write a comment',
    hint: 'Colleagues who see this record read it. @Name tells a colleague, @assistant asks the assistant.',
    submit: 'Comment',
    send: (text) => {
      const comment = commentContent(text, getSession().colleagues);
      return act('Comment added.', () => call<'createComment'>('POST', `${path}/comments`, { comment }));
    },
    sent: changed,
  });
  const element = h(
    'section',
    { 'aria-label': 'Comments' },
    h('h2', {}, 'Comments'),
    list.element,
    form.element,
  );
  return { element, show: list.show, focus: form.focus };
}

/** Those of records that do not contain them. */
export const readComments = (path: string) =>
  attempt(async () => (await call<'listComments'>('GET', `${path}/comments`)).comments);
