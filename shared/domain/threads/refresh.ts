import { keys } from '../../table/keys.ts';
import { changes } from '../../table/requests.ts';
import type { Table, Update } from '../../table/table.ts';
import { untilUnchanged } from '../../table/until-unchanged.ts';
import type { Mailbox } from '../mailboxes/mailbox.ts';
import type { User } from '../users/user.ts';
import { type DerivedEntry, deriveEntry } from './entry.ts';
import type { Message, Thread, ThreadEntry } from './thread.ts';
import { canSeeMailboxes } from './visibility.ts';

/** The users and mailboxes of an account, read once for many threads. */
export interface Members {
  users: User[];
  mailboxes: Mailbox[];
}

export async function messagesOf(table: Table, thread: string): Promise<Message[]> {
  return table.all<Message>(keys.record('threads', thread).PK, 'MESSAGE#');
}

/** New mail from somebody else makes a thread unread again and reopens it; anything else leaves the user's state. */
function entryUpdate(derived: DerivedEntry, before: ThreadEntry | undefined): Update {
  const { PK: _pk, SK: _sk, ...values } = derived;
  const received = derived.received_count > (before?.received_count ?? 0);
  const set = { ...values, ...(received ? { unread: 1 } : {}) };
  const remove = [
    ...(received ? ['resolved', 'snooze_until'] : []),
    ...(derived.inbox_rank === undefined ? ['inbox_rank'] : []),
  ];
  const change = changes(set, remove);
  if (!before) return { ...change, condition: 'attribute_not_exists(PK)' };
  return {
    ...change,
    condition: '#version = :seen AND #received_count = :seen_count',
    values: { ...change.values, ':seen': before.version, ':seen_count': before.received_count },
  };
}

/** The user may change the entry meanwhile, and another worker may refresh it: the newest messages win. */
function refreshEntry(
  table: Table,
  thread: Thread,
  user: User,
  derived: DerivedEntry | undefined,
): Promise<void> {
  const key = keys.threadEntry(user.id, thread.id);
  return untilUnchanged(async () => {
    const before = await table.get<ThreadEntry>(key);
    if (before && before.version > thread.version) return;
    if (derived) await table.update(key, entryUpdate(derived, before), 'NONE');
    else if (before) await table.delete(key);
  });
}

/**
 * Brings the entries of everyone with access up to the thread's messages. Safe to run at any time and more than once:
 * the thread is read before its messages, so an entry's version never claims more than it holds.
 */
export async function refreshThread(table: Table, id: string, members: Members): Promise<void> {
  const thread = await table.get<Thread>(keys.record('threads', id));
  if (!thread || thread.merged_into) return;
  const messages = await messagesOf(table, id);
  const users = members.users.filter((user) => canSeeMailboxes(user, thread.mailbox_ids));
  await Promise.all(
    users.map((user) =>
      refreshEntry(table, thread, user, deriveEntry(thread, user, members.mailboxes, messages)),
    ),
  );
}
