import { act } from './act.ts';
import { type Body, call } from './api.ts';
import { openDialog } from './dialog.ts';
import { button, h } from './dom.ts';
import { dayAndTime } from './format.ts';
import type { Key } from './pane.ts';
import { snoozeTimes } from './snooze-times.ts';

/** What a user does with a thread: flags, read, resolved, snoozed. Each is the user's own. */

export type Thread = Body<'retrieveThread'>['thread'];
export type ThreadState = Pick<Thread, 'id' | 'read' | 'flagged' | 'resolved' | 'snooze_until'>;
type Changed = () => unknown;

interface Switch {
  is(thread: ThreadState): boolean;
  on(id: string): Promise<unknown>;
  off(id: string): Promise<unknown>;
  /** What is said afterwards. */
  said: [on: string, off: string];
}

const flag: Switch = {
  is: ({ flagged }) => flagged,
  on: (id) => call<'flagThread'>('POST', `/threads/${id}/flag`),
  off: (id) => call<'unflagThread'>('DELETE', `/threads/${id}/flag`),
  said: ['Flagged.', 'Not flagged any more.'],
};
const read: Switch = {
  is: ({ read }) => read,
  on: (id) => call<'markThreadRead'>('POST', `/threads/${id}/read`),
  off: (id) => call<'markThreadUnread'>('DELETE', `/threads/${id}/read`),
  said: ['Marked as read.', 'Marked as unread.'],
};
const resolution: Switch = {
  is: ({ resolved }) => resolved,
  on: (id) => call<'resolveThread'>('POST', `/threads/${id}/resolution`),
  off: (id) => call<'reopenThread'>('DELETE', `/threads/${id}/resolution`),
  said: ['Resolved.', 'Opened again.'],
};

async function turn(thread: ThreadState, { is, on, off, said }: Switch, changed: Changed): Promise<void> {
  const [done, work] = is(thread) ? [said[1], off] : [said[0], on];
  if (await act(done, () => work(thread.id))) changed();
}

/** Marks it as read when it is opened; a key that may only read leaves it. */
export const markRead = ({ id }: ThreadState) => read.on(id).catch(() => {});

function askSnooze(thread: ThreadState, changed: Changed): void {
  const snooze = async (until: Date) => {
    const snooze_until = until.toISOString();
    const work = () => call<'snoozeThread'>('POST', `/threads/${thread.id}/snooze`, { snooze_until });
    if (await act(`Snoozed until ${dayAndTime(snooze_until)}.`, work)) changed();
  };
  openDialog('Snooze until', (close) => [
    ...snoozeTimes().map(({ label, until }) => {
      const choose = () => {
        close();
        return snooze(until);
      };
      return h(
        'p',
        {},
        button(label, choose),
        ' ',
        h('span', { class: 'quiet' }, dayAndTime(until.toISOString())),
      );
    }),
    h('p', {}, button('Cancel', close)),
  ]);
}

async function snooze(thread: ThreadState, changed: Changed): Promise<void> {
  if (!thread.snooze_until) return askSnooze(thread, changed);
  const work = () => call<'unsnoozeThread'>('DELETE', `/threads/${thread.id}/snooze`);
  if (await act('Not snoozed any more.', work)) changed();
}

export const threadKeys = (thread: ThreadState, changed: Changed): Record<string, Key> => ({
  e: { label: 'resolve, or open again', press: () => turn(thread, resolution, changed) },
  s: { label: 'flag, or remove the flag', press: () => turn(thread, flag, changed) },
  m: { label: 'mark as read or unread', press: () => turn(thread, read, changed) },
  z: { label: 'snooze, or end it', press: () => snooze(thread, changed) },
});

export function threadButtons(thread: ThreadState, changed: Changed): HTMLElement {
  const state = (label: string, kind: Switch, key: string) =>
    button(label, () => turn(thread, kind, changed), {
      'data-focus': label,
      'aria-pressed': String(kind.is(thread)),
      title: `Key ${key}`,
    });
  return h(
    'div',
    { class: 'acts', role: 'group', 'aria-label': 'What to do with this thread' },
    state('Resolved', resolution, 'e'),
    state('Flagged', flag, 's'),
    state('Read', read, 'm'),
    button(thread.snooze_until ? 'End snooze' : 'Snooze', () => snooze(thread, changed), {
      'data-focus': 'snooze',
      title: 'Key z',
    }),
  );
}
