import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import type { User } from '../users/user.ts';
import type { Thread, ThreadEntry } from './thread.ts';

/**
 * Who sees a thread: the users with access to a mailbox that it came through. The user's own item is the authority,
 * so access that was taken away counts at once, whatever entries are still there.
 */
export function canSeeMailboxes(user: Pick<User, 'mailboxes'>, mailbox_ids: Iterable<string>): boolean {
  for (const id of mailbox_ids) if (Object.hasOwn(user.mailboxes, id)) return true;
  return false;
}

/** Threads merge, so an older id may lead to another one; each step is one that this many merges made. */
const MAX_MERGES = 10;

/** The thread that an id leads to by now; undefined when there is none in the account. */
export async function survivor(table: Table, account: string, id: string): Promise<string | undefined> {
  let current = id;
  for (let step = 0; step < MAX_MERGES; step++) {
    const thread = await table.get<Thread>(keys.record('threads', current));
    if (!thread || thread.account_id !== account) return undefined;
    if (!thread.merged_into) return current;
    current = thread.merged_into;
  }
  return undefined;
}

async function entryOf(table: Table, caller: Caller, id: string): Promise<ThreadEntry | undefined> {
  const entry = await table.get<ThreadEntry>(keys.threadEntry(caller.user.id, id));
  return entry && canSeeMailboxes(caller.user, entry.mailbox_ids) ? entry : undefined;
}

/** The caller's entry of a thread; undefined when the thread does not exist or is hidden. */
export async function findEntry(table: Table, caller: Caller, id: string): Promise<ThreadEntry | undefined> {
  const entry = await entryOf(table, caller, id);
  if (entry) return entry;
  const now = await survivor(table, caller.account.id, id);
  return now === undefined || now === id ? undefined : entryOf(table, caller, now);
}
