import { call } from './api.ts';
import { commentsPart } from './comments.ts';
import { detailPane, facts, type Parts, tagList } from './detail.ts';
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

const headOf = (changed: () => unknown) =>
  part<Thread>((data) => [
    threadButtons(data, changed),
    tagList(data.tags),
    facts([
      ['With', people(data)],
      ['Tasks', tasks(data)],
      ['Snoozed until', data.snooze_until && dayAndTime(data.snooze_until)],
    ]),
    data.summary && h('details', {}, h('summary', {}, 'In short'), h('p', {}, data.summary)),
  ]);

function partsOf(id: string, changed: () => Promise<void>): Parts<Thread> {
  let opened = false;
  let thread: Thread | undefined;
  const head = headOf(changed);
  const mail = part<ReturnType<typeof shownIn>>(() => (thread ? messages(thread) : []));
  const comments = commentsPart(`/threads/${id}`, changed);
  const replies = repliesPart(id);
  return {
    elements: [
      head.element,
      h('h2', { class: 'hidden' }, 'Messages'),
      mail.element,
      comments.element,
      replies.element,
    ],
    show: async (read) => {
      thread = read;
      head.show({ ...read, messages: null, comments: null });
      mail.show(shownIn(read));
      comments.show(read.comments ?? []);
      await replies.show(read);
      const first = !opened;
      opened = true;
      if (!first || read.read) return;
      await markRead(read);
      await changed();
    },
    keys: (data) => ({
      ...(data ? threadKeys(data, changed) : {}),
      c: { label: 'write a comment', press: comments.focus },
      r: { label: 'write a reply', press: replies.focus },
    }),
  };
}

export const threadDetail = (id: string, changedOutside: () => unknown): Pane =>
  detailPane<Thread>(
    {
      read: async () => (await call<'retrieveThread'>('GET', `/threads/${id}`, { body: 'html' })).thread,
      titleOf: ({ subject }) => subject || 'No subject',
      parts: (changed) => partsOf(id, changed),
    },
    changedOutside,
  );
