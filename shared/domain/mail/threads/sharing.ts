import type { ShareKind } from '#shared/domain/collaboration/shares/kind.ts';
import { inOrder, presentShare, type ShareRecord } from '#shared/domain/collaboration/shares/share.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { messagesOfMailboxes } from './entry.ts';
import { findSeenThread, openMailboxes } from './policy.ts';
import { type Message, mailboxesOf, type Thread, type ThreadShare } from './thread.ts';

/** The thread's mailboxes whose messages the user may share. */
function givable(user: User, thread: Thread): string[] {
  return [...mailboxesOf(thread)].filter((id) => ['owner', 'edit'].includes(user.mailboxes[id] ?? '')).sort();
}

/** The mailboxes that the caller has access to, whose shares threads inherit. */
export function readOwnMailboxes(table: Table, { user }: Caller): Promise<Mailbox[]> {
  return table.getMany<Mailbox>(Object.keys(user.mailboxes).map((id) => keys.mailbox(user.account_id, id)));
}

/** The thread's own shares, and those of its mailboxes that the caller has access to; `most` of them. */
export function sharesOf(
  thread: Thread,
  mailboxes: Mailbox[],
  most = Number.POSITIVE_INFINITY,
): ShareRecord[] {
  const record = { type: 'threads' as const, id: thread.id };
  const own = inOrder(Object.values(thread.shares ?? {})).slice(0, most);
  const through = mailboxes.filter((mailbox) => mailboxesOf(thread).has(mailbox.id));
  const inherited = inOrder(through.flatMap(({ shares }) => Object.values(shares)));
  return [
    ...own.map((share) => presentShare(share, record)),
    ...inherited.slice(0, most - own.length).map((share) => presentShare(share, record, 'mailbox')),
  ];
}

/** The first message that a user sees should be among this many; otherwise the subject is not shown. */
const FIRST = 100;

async function firstMessages(table: Table, thread_id: string): Promise<Message[]> {
  const { items } = await table.query<Message>({
    partition: keys.record('threads', thread_id).PK,
    sort: { begins: 'MESSAGE#' },
    limit: FIRST,
  });
  return items;
}

/** Threads as records with shares (docs/specification/people.md, "Shares"). */
export const threadSharing: ShareKind = {
  async load(ctx, id) {
    const [seen, mailboxes] = await Promise.all([
      findSeenThread(ctx, id),
      readOwnMailboxes(ctx.table, ctx.caller),
    ]);
    if (!seen) return undefined;
    const { thread } = seen;
    const mailbox_ids = givable(ctx.caller.user, thread);
    return {
      record: { type: 'threads', id: thread.id },
      item: keys.record('threads', thread.id),
      account_id: thread.account_id,
      shares: thread.shares ?? {},
      inherited: sharesOf(thread, mailboxes).filter(({ source }) => source === 'mailbox'),
      may_share: mailbox_ids.length > 0,
      opens: { mailbox_ids },
    };
  },
  async labelsFor(table, { record, account_id, shares }, share, user_ids) {
    const [users, messages] = await Promise.all([
      findUsers(table, account_id, user_ids),
      firstMessages(table, record.id),
    ]);
    const given = { shares: { ...shares, [share.id]: share } as NonNullable<Thread['shares']> };
    return new Map(
      users.map((user) => {
        const [first] = messagesOfMailboxes(messages, openMailboxes(user, given));
        return [user.id, { subject: first?.subject ?? null }];
      }),
    );
  },
  joined(existing, { opens }) {
    const { mailbox_ids } = existing as ThreadShare;
    const all = new Set([...mailbox_ids, ...(opens.mailbox_ids as string[])]);
    return { ...existing, mailbox_ids: [...all].sort() } as ThreadShare;
  },
  giving: () => [],
  taking: () => [],
};
