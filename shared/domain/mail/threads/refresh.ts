import { isDeepStrictEqual } from 'node:util';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Table } from '#shared/table/table.ts';
import { deriveEntry, nextEntry, stateAfter, stateOf, valuesOf, wasOpened } from './entry.ts';
import { tagPosting } from './lists/tag-lists.ts';
import { writeEntry, writeTerms } from './lists/write-entry.ts';
import type { EntryValues, Message, Thread, ThreadEntry } from './thread.ts';
import { seesThread } from './visibility.ts';

/** The users and mailboxes of an account, read once for many threads. */
export interface Members {
  users: User[];
  mailboxes: Mailbox[];
}

/** Oldest first; `most` of them, or some more. */
export async function messagesOf(
  table: Table,
  thread: string,
  most = Number.POSITIVE_INFINITY,
): Promise<Message[]> {
  const found: Message[] = [];
  for await (const page of table.pages<Message>(keys.record('threads', thread).PK, 'MESSAGE#')) {
    found.push(...page);
    if (found.length >= most) break;
  }
  return found;
}

const readThread = (table: Table, id: string) => table.get<Thread>(keys.record('threads', id));

/** What is known when the entries of a thread are made again. */
interface Fresh {
  thread: Thread;
  values: EntryValues | undefined;
  /** Its messages came from another thread: they are nothing new. */
  moved: boolean;
}

async function tryRefresh(
  table: Table,
  { thread, values, moved }: Fresh,
  before: ThreadEntry | undefined,
): Promise<void> {
  const tags = thread.tag_ids ?? [];
  if (!values) {
    if (before) await writeEntry(table, before, undefined, tags);
    return;
  }
  // A message that arrived after the thread was read is left to the worker that brought it.
  if (!moved && wasOpened(before, values) && (await readThread(table, thread.id))?.version !== thread.version)
    return;
  const state = moved && before ? stateOf(before) : stateAfter(before, values);
  if (before && isDeepStrictEqual([valuesOf(before), stateOf(before)], [values, state]))
    return writeTerms(table, before, tags);
  await writeEntry(table, before, nextEntry(before, values, state), tags);
}

/** The user may change the entry meanwhile, and another worker may refresh it: the newest messages win. */
function refreshEntry(table: Table, user: User, fresh: Fresh, read: ThreadEntry | undefined): Promise<void> {
  const key = keys.threadEntry(user.id, fresh.thread.id);
  let attempts = 0;
  return retryOnConflict(async () => {
    const before = attempts++ === 0 ? read : await table.get<ThreadEntry>(key);
    if (before && before.version > fresh.thread.version) return;
    await tryRefresh(table, fresh, before);
  });
}

/**
 * Brings entries up to the thread's messages: those of everyone who sees it, or of `only` these users whether or not
 * they still do. Safe to run at any time and more than once: the thread is read before its messages, so an entry's
 * version never claims more than it holds. However many users there are, their entries are read in one step and
 * written in the next.
 */
export async function refreshThread(
  table: Table,
  id: string,
  members: Members,
  only?: User[],
  moved = false,
): Promise<void> {
  const thread = await readThread(table, id);
  if (!thread || thread.merged_into) return;
  const users = only ?? members.users.filter((user) => seesThread(user, thread));
  const [messages, entries] = await Promise.all([
    messagesOf(table, id),
    table.getMany<ThreadEntry>(users.map((user) => keys.threadEntry(user.id, id))),
  ]);
  const byUser = new Map(entries.map((entry) => [entry.user_id, entry]));
  await Promise.all(
    users.map((user) => {
      const values = deriveEntry(thread, user, members.mailboxes, messages);
      return refreshEntry(table, user, { thread, values, moved }, byUser.get(user.id));
    }),
  );
  await addLateTags(table, thread, users);
}

/** Tags that were put on while entries moved: they were written to the places that the entries left. */
async function addLateTags(table: Table, before: Thread, users: User[]): Promise<void> {
  const thread = await readThread(table, before.id);
  const late = [...(thread?.tag_ids ?? [])].filter((tag) => !before.tag_ids?.has(tag));
  if (late.length === 0) return;
  const entries = await table.getMany<ThreadEntry>(users.map((user) => keys.threadEntry(user.id, before.id)));
  await table.writeMany(entries.flatMap((entry) => late.map((tag) => ({ put: tagPosting(entry, tag) }))));
}
