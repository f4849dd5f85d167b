import { isDeepStrictEqual } from 'node:util';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Table } from '#shared/table/table.ts';
import { deriveEntry, nextEntry, stateAfter, stateKept, stateOf, valuesOf, wasOpened } from './entry.ts';
import { tagPosting } from './lists/tag-lists.ts';
import { writeEntry, writeTerms } from './lists/write-entry.ts';
import { refreshViews, viewsOf } from './mailbox-views.ts';
import { messagesOf } from './messages.ts';
import { seesThread } from './policy.ts';
import { followShares } from './shared-texts.ts';
import type { EntryValues, Thread, ThreadEntry } from './thread.ts';

/** The users and mailboxes of an account, read once for many threads. */
export interface Members {
  users: User[];
  mailboxes: Mailbox[];
}

const readThread = (table: Table, id: string) => table.get<Thread>(keys.record('threads', id));

/** The data from which the entries of a thread are updated. */
interface Fresh {
  thread: Thread;
  values: EntryValues | undefined;
  /** Its messages moved from another thread: they are not new. */
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
  // A message that arrived after the thread was read is left to the worker that delivers it.
  if (!moved && wasOpened(before, values) && (await readThread(table, thread.id))?.version !== thread.version)
    return;
  const state = moved && before ? stateKept(before, values) : stateAfter(before, values);
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

interface Refresh {
  /**
   * Update the entries of these users, even if they no longer see the thread; by default of all who see it, and what
   * mailboxes have of it.
   */
  only?: User[] | undefined;
  /** Besides all who see it. */
  also?: User[] | undefined;
  /** The messages moved from another thread, also for the mailboxes. */
  moved?: boolean | undefined;
  /** What only shares open is indexed by the job of the share: a request has no time for it. */
  entries_only?: true;
  /** Called for each thread that failed; the others are still updated. */
  failed?: (id: string, error: unknown) => void;
}

/** A thread as read, and the users whose entries of it are updated. */
interface Found {
  thread: Thread;
  users: User[];
}

const readThreads = (table: Table, ids: string[]) =>
  table.getMany<Thread>(ids.map((id) => keys.record('threads', id)));

const readEntries = (table: Table, found: Found[]) =>
  table.getMany<ThreadEntry>(
    found.flatMap(({ thread, users }) => users.map((user) => keys.threadEntry(user.id, thread.id))),
  );

/**
 * Updates entries to the messages of some threads: of all users who see them, or of `only` these users. Safe to run at
 * any time and repeatedly: a thread is read before its messages, so an entry's version never claims more than it
 * contains. Whatever the number of threads and users, threads are read together, entries in the next step, and all
 * writes follow in the one after that; those of shared texts, of which the bodies are read before, in the next.
 */
export async function refreshThreads(
  table: Table,
  ids: string[],
  members: Members,
  { only, also = [], moved = false, entries_only, failed }: Refresh = {},
): Promise<void> {
  const threads = (await readThreads(table, ids)).filter(({ merged_into }) => !merged_into);
  const found = threads.map((thread) => ({
    thread,
    users: only ?? members.users.filter((user) => also.includes(user) || seesThread(user, thread)),
  }));
  const entries = readEntries(table, found).then((all) => Map.groupBy(all, ({ thread_id }) => thread_id));
  const ofMailboxes = only === undefined || moved;
  await Promise.all(
    found.map(async ({ thread, users }) => {
      const [messages, before, views] = await Promise.all([
        messagesOf(table, thread.id),
        entries,
        ofMailboxes ? viewsOf(table, thread.id) : undefined,
      ]);
      const byUser = new Map(before.get(thread.id)?.map((entry) => [entry.user_id, entry]));
      const refreshed = users.map((user) => {
        const values = deriveEntry(thread, user, members.mailboxes, messages);
        return refreshEntry(table, user, { thread, values, moved }, byUser.get(user.id));
      });
      const viewed = views ? refreshViews(table, thread, messages, views) : [];
      const followed = entries_only ? [] : [followShares(table, thread, messages)];
      for (const done of await Promise.allSettled([...viewed, ...refreshed, ...followed])) {
        if (done.status === 'fulfilled') continue;
        if (!failed) throw done.reason;
        failed(thread.id, done.reason);
      }
    }),
  );
  await addLateTags(table, found);
}

/** The same for one thread. */
export function refreshThread(
  table: Table,
  id: string,
  members: Members,
  only?: User[],
  moved = false,
): Promise<void> {
  return refreshThreads(table, [id], members, { only, moved });
}

/** What mailboxes have of a thread that nobody writes to. Idempotent. */
export async function listInMailboxes(table: Table, thread: Thread): Promise<void> {
  if (thread.merged_into !== undefined) return;
  const [messages, before] = await Promise.all([messagesOf(table, thread.id), viewsOf(table, thread.id)]);
  await Promise.all(refreshViews(table, thread, messages, before));
}

/** Adds tags that were applied while entries moved: they were written to the entries' old ranks. */
async function addLateTags(table: Table, found: Found[]): Promise<void> {
  const now = await readThreads(
    table,
    found.map(({ thread }) => thread.id),
  );
  const tagsNow = new Map(now.map(({ id, tag_ids = new Set() }) => [id, tag_ids]));
  const late = new Map<string, string[]>();
  for (const { thread } of found) {
    const added = [...(tagsNow.get(thread.id) ?? [])].filter((tag) => !thread.tag_ids?.has(tag));
    if (added.length > 0) late.set(thread.id, added);
  }
  const entries = await readEntries(
    table,
    found.filter(({ thread }) => late.has(thread.id)),
  );
  await table.writeMany(
    entries.flatMap((entry) =>
      (late.get(entry.thread_id) ?? []).map((tag) => ({ put: tagPosting(entry, tag) })),
    ),
  );
}
