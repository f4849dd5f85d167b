import { call } from './api.ts';
import { commentsPart } from './comments.ts';
import { facts, heading, readInto, tagList } from './detail.ts';
import { type Child, h, part } from './dom.ts';
import { dayAndTime, title } from './format.ts';
import { messageElement } from './message.ts';
import type { Pane } from './pane.ts';
import { placeOfRecord } from './place.ts';
import { repliesPart } from './replies.ts';
import { markRead, type Thread, threadButtons, threadKeys } from './thread-acts.ts';

/** A thread with its messages, comments and drafts. */

const people = ({ participant_list }: Thread): Child[] =>
  participant_list.flatMap(({ email_address, name, contact }, i) => {
    const href = placeOfRecord('contact', contact?.id);
    const text = name ?? email_address;
    return [i > 0 && ', ', href ? h('a', { href }, text) : text];
  });

const tasks = ({ tasks }: Thread): Child[] =>
  (tasks ?? []).flatMap(({ id, name }, i) => [
    i > 0 && ', ',
    h('a', { href: placeOfRecord('task', id) }, name),
  ]);

function messages(thread: Thread): Child[] {
  const all = thread.messages ?? [];
  const names = thread.participant_names as Record<string, string>;
  return [
    ...all.map((message, i) => messageElement(message, names, i === all.length - 1)),
    ...thread.pending_messages.map(({ delivery_status, body }) =>
      h(
        'article',
        { class: 'message' },
        h('p', {}, h('span', { class: 'mark' }, title(delivery_status))),
        h('div', { class: 'plain' }, body),
      ),
    ),
  ];
}

const shownIn = (thread: Thread) => ({
  messages: thread.messages?.map(({ id, body }) => [id, body?.truncated]),
  pending: thread.pending_messages,
});

export function threadDetail(id: string, changedOutside: () => unknown): Pane {
  const path = `/threads/${id}`;
  let thread: Thread | undefined;
  const subject = heading('Loading ...');
  const changed = async () => {
    await refresh();
    changedOutside();
  };
  const head = part<Omit<Thread, 'messages' | 'comments'>>((data) => [
    threadButtons(data, changed),
    tagList(data.tags),
    facts([
      ['With', people(data as Thread)],
      ['Tasks', tasks(data as Thread)],
      ['Snoozed until', data.snooze_until && dayAndTime(data.snooze_until)],
    ]),
    data.summary && h('details', {}, h('summary', {}, 'In short'), h('p', {}, data.summary)),
  ]);
  const mail = part<ReturnType<typeof shownIn>>(() => (thread ? messages(thread) : []));
  const comments = commentsPart(path, changed);
  const replies = repliesPart(id);
  const pane: Pane = {
    element: h(
      'div',
      {},
      subject,
      head.element,
      h('h2', { class: 'hidden' }, 'Messages'),
      mail.element,
      comments.element,
      replies.element,
    ),
    title: 'Thread',
    refresh: () => refresh(),
    get keys() {
      return {
        ...(thread ? threadKeys(thread, changed) : {}),
        c: { label: 'write a comment', press: comments.focus },
        r: { label: 'write a reply', press: replies.focus },
      };
    },
  };
  const show = async (read: Thread) => {
    const first = thread === undefined;
    thread = read;
    pane.title = read.subject || 'No subject';
    subject.textContent = pane.title;
    const { messages, comments: written, ...rest } = read;
    head.show(rest);
    mail.show(shownIn(read));
    comments.show(written ?? []);
    await replies.show(read);
    if (first && !read.read) {
      await markRead(read);
      await changed();
    }
  };
  const refresh = () =>
    readInto(
      async () => (await call<'retrieveThread'>('GET', `/threads/${id}`, { body: 'html' })).thread,
      show,
    );
  return pane;
}
