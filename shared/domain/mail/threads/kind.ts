import type { Label, RecordKind, Seer, VisibleRecord } from '#shared/domain/collaboration/records/kind.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { holdersOfShares } from '#shared/domain/collaboration/records/share-users.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { findSeenThread, mayShow, openMailboxes, seesThread, type Viewer } from './policy.ts';
import { mailboxesOf, type Thread, type ThreadEntry } from './thread.ts';

/** The subject as the user sees it; null without an entry, and while the entry contains hidden messages. */
function labelFor(user: Viewer, thread: Thread, entry: ThreadEntry | undefined): Label {
  return { subject: entry && mayShow(user, thread, entry) ? entry.subject : null };
}

/** The users whom shares of the thread open mail of one of the mailboxes. */
function holdersOf(table: Table, { account_id, shares = {} }: Thread, mailbox_ids: ReadonlySet<string>) {
  const opening = Object.values(shares).filter((share) =>
    share.mailbox_ids.some((id) => mailbox_ids.has(id)),
  );
  return holdersOfShares(table, account_id, opening);
}

/** Threads as records with comments and tags. */
export const threadKind: RecordKind = {
  personal: true,

  async load(ctx: CallerContext, id: string): Promise<VisibleRecord | undefined> {
    const seen = await findSeenThread(ctx, id);
    if (!seen) return undefined;
    const { thread, entry } = seen;
    return {
      type: 'threads',
      id: thread.id,
      label: labelFor(ctx.caller.user, thread, entry),
      owner_ids: [...(thread.owner_ids ?? [])],
      tag_ids: [...(thread.tag_ids ?? [])],
    };
  },

  async seenBy(table: Table, id: string, users: User[]): Promise<Seer[]> {
    const [thread, entries] = await Promise.all([
      table.get<Thread>(keys.record('threads', id)),
      table.getMany<ThreadEntry>(users.map((user) => keys.threadEntry(user.id, id))),
    ]);
    if (!thread) return [];
    const entryOf = new Map(entries.map((entry) => [entry.user_id, entry]));
    return users
      .filter((user) => seesThread(user, thread))
      .map((user) => ({ user, label: labelFor(user, thread, entryOf.get(user.id)) }));
  },

  async audience(table: Table, id: string): Promise<string[]> {
    const thread = await table.get<Thread>(keys.record('threads', id));
    if (!isThere(thread)) return [];
    const mailbox_ids = mailboxesOf(thread);
    return [...mailbox_ids, ...(await holdersOf(table, thread, mailbox_ids))];
  },

  mail: {
    async openings(table, ids) {
      const threads = await table.getMany<Thread>(ids.map((id) => keys.record('threads', id)));
      return new Map(threads.map((thread) => [thread.id, (user) => openMailboxes(user, thread)]));
    },

    async openedTo(table, id, mailbox_ids) {
      const thread = await table.get<Thread>(keys.record('threads', id));
      return isThere(thread) ? holdersOf(table, thread, new Set(mailbox_ids)) : [];
    },
  },
};
