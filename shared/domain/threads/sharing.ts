import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import type { Mailbox } from '../mailboxes/mailbox.ts';
import type { ShareKind } from '../shares/kind.ts';
import { inOrder, presentShare, type ShareRecord } from '../shares/share.ts';
import type { User } from '../users/user.ts';
import type { Thread } from './thread.ts';
import { findSeenThread } from './visibility.ts';

/** The thread's mailboxes whose messages the user may give away. */
function givable(user: User, thread: Thread): string[] {
  return [...thread.mailbox_ids].filter((id) => ['owner', 'edit'].includes(user.mailboxes[id] ?? '')).sort();
}

/** The mailboxes that the caller has access to, whose shares threads inherit. */
export function readOwnMailboxes(table: Table, { user }: Caller): Promise<Mailbox[]> {
  return table.getMany<Mailbox>(Object.keys(user.mailboxes).map((id) => keys.mailbox(user.account_id, id)));
}

/** Whom the thread is shared with: by itself, and with a mailbox it came through that the caller has access to. */
export function sharesOf(thread: Thread, mailboxes: Mailbox[]): ShareRecord[] {
  const record = { type: 'threads' as const, id: thread.id };
  const through = mailboxes.filter((mailbox) => thread.mailbox_ids.has(mailbox.id));
  return [
    ...inOrder(Object.values(thread.shares ?? {})).map((share) => presentShare(share, record)),
    ...inOrder(through.flatMap(({ shares }) => Object.values(shares))).map((share) =>
      presentShare(share, record, 'mailbox'),
    ),
  ];
}

/** Threads as records that can be shared (families.md, 0.2). */
export const threadSharing: ShareKind = {
  async load(table, caller, id) {
    const [seen, mailboxes] = await Promise.all([
      findSeenThread(table, caller, id),
      readOwnMailboxes(table, caller),
    ]);
    if (!seen) return undefined;
    const { thread, entry } = seen;
    const mailbox_ids = givable(caller.user, thread);
    return {
      record: { type: 'threads', id: thread.id },
      item: keys.record('threads', thread.id),
      account_id: thread.account_id,
      label: { subject: entry?.subject ?? null },
      shares: thread.shares ?? {},
      inherited: sharesOf(thread, mailboxes).filter(({ source }) => source !== 'direct'),
      may_share: mailbox_ids.length > 0,
      opens: { mailbox_ids },
    };
  },
  giving: () => [],
  taking: () => [],
  reindexing: ({ record, account_id }) => ({ account_id, thread_id: record.id }),
};
