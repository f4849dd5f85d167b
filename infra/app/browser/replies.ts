import { act, attempt } from './act.ts';
import { type Body, call } from './api.ts';
import { h, part } from './dom.ts';
import { writingForm } from './form.ts';
import { title } from './format.ts';
import type { Thread } from './thread-acts.ts';

/** The drafts of a thread, and writing one. This page sends nothing. */

type Draft = Body<'listDrafts'>['drafts'][number];

const draftElement = ({ status, to_email_addresses, subject, body, last_error }: Draft) =>
  h(
    'li',
    { class: 'card' },
    h(
      'p',
      {},
      h('span', { class: 'mark' }, title(status)),
      ` to ${to_email_addresses.join(', ')}: ${subject ?? ''}`,
    ),
    h(
      'div',
      { class: 'plain clipped', tabindex: '0', role: 'region', 'aria-label': 'Text of the draft' },
      body,
    ),
    last_error && h('p', { class: 'warning' }, last_error.message),
  );

export interface Replies {
  element: HTMLElement;
  show(thread: Thread): Promise<void>;
  focus(): void;
}

export function repliesPart(id: string): Replies {
  let newest: string | undefined;
  let thread: Thread | undefined;
  const list = part<Draft[]>((drafts) => [
    drafts.length > 0 &&
      h('ul', { class: 'plain-list', 'aria-label': 'Drafts' }, ...drafts.map(draftElement)),
  ]);
  const show = async (shown: Thread) => {
    thread = shown;
    newest = shown.messages?.at(-1)?.id;
    const found = await attempt(() => call<'listDrafts'>('GET', '/drafts', { thread_id: id }));
    if (found) list.show(found.drafts);
  };
  const form = writingForm({
    label: 'Reply to all',
    hint: 'It is kept as a draft: nothing is sent from this page.',
    submit: 'Save as a draft',
    send: (body) =>
      act('Saved as a draft.', () =>
        call<'createDraft'>('POST', '/drafts', {
          draft: {
            kind: 'reply_all',
            in_reply_to_message_id: newest,
            mailbox_id: thread?.mailbox_ids[0],
            body,
          },
        }),
      ),
    sent: () => thread && show(thread),
  });
  const element = h('section', { 'aria-label': 'Reply' }, h('h2', {}, 'Reply'), list.element, form.element);
  return { element, show, focus: form.focus };
}
