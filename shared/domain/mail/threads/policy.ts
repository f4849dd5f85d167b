import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { mailboxesOf, type Thread, type ThreadEntry, type ThreadShare } from './thread.ts';

/**
 * Which parts of a thread a user sees. The user's item (mailboxes that the user may read) and the thread's item (its
 * shares) decide: a change of access counts at once, whatever entries contain.
 */

export type Viewer = Pick<User, 'id' | 'mailboxes' | 'group_ids'>;

export function sharesWith(viewer: Viewer, thread: Pick<Thread, 'shares'>): ThreadShare[] {
  return Object.values(thread.shares ?? {}).filter(
    ({ user_id, group_id }) =>
      user_id === viewer.id || (group_id !== null && viewer.group_ids?.has(group_id)),
  );
}

/** The mailboxes whose messages of the thread the user may read: by access to them, or by a share of the thread. */
export function openMailboxes(viewer: Viewer, thread: Pick<Thread, 'shares'>): Set<string> {
  return new Set([
    ...Object.keys(viewer.mailboxes),
    ...sharesWith(viewer, thread).flatMap((share) => share.mailbox_ids),
  ]);
}

export function seesThread(viewer: Viewer, thread: Thread): boolean {
  const open = openMailboxes(viewer, thread);
  return [...mailboxesOf(thread)].some((id) => open.has(id));
}

/** False for an entry computed from messages which the user may no longer read, until it is updated. */
export function mayShow(viewer: Viewer, thread: Pick<Thread, 'shares'>, entry: ThreadEntry): boolean {
  const open = openMailboxes(viewer, thread);
  return entry.mailbox_ids.every((id) => open.has(id));
}

/** Threads merge, so an older id may lead to another thread, in at most this many steps. */
const MAX_MERGES = 10;

/** The thread that an id leads to; undefined when the account has none. */
export async function findThread(table: Table, account: string, id: string): Promise<Thread | undefined> {
  let current = id;
  for (let step = 0; step < MAX_MERGES; step++) {
    const thread = await table.get<Thread>(keys.record('threads', current));
    if (!thread || thread.account_id !== account) return undefined;
    if (!thread.merged_into) return thread;
    current = thread.merged_into;
  }
  return undefined;
}

export interface SeenThread {
  thread: Thread;
  /** Undefined shortly after the thread was opened to the user, and outdated shortly after part of it was closed. */
  entry: ThreadEntry | undefined;
}

/** The thread that the caller sees under an id, with the caller's entry; undefined when there is none. */
export async function findSeenThread(
  { table, caller }: CallerContext,
  id: string,
): Promise<SeenThread | undefined> {
  const readEntry = (thread: string) => table.get<ThreadEntry>(keys.threadEntry(caller.user.id, thread));
  const [thread, entry] = await Promise.all([findThread(table, caller.account.id, id), readEntry(id)]);
  if (!thread || !seesThread(caller.user, thread)) return undefined;
  return { thread, entry: thread.id === id ? entry : await readEntry(thread.id) };
}

/** 404 `record_not_found` for a thread that does not exist or is hidden. */
export async function requireSeenThread(ctx: CallerContext, id: string): Promise<SeenThread> {
  const seen = await findSeenThread(ctx, id);
  if (!seen) throw recordNotFound();
  return seen;
}
