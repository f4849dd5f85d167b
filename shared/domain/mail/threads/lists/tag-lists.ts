import { isDeepStrictEqual } from 'node:util';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import { backoff, TRIES } from '#shared/table/backoff.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Thread, ThreadEntry } from '../thread.ts';
import { listNames, participantsBeside, type ThreadPosting } from './postings.ts';

/** Where the thread stands among the user's threads with a tag. */
export function tagPosting(entry: ThreadEntry, tag_id: string): ThreadPosting {
  return {
    ...keys.posting(entry.user_id, listNames.tag(tag_id), entry.rank),
    ...participantsBeside(entry),
  };
}

/** Threads that got tags or lost them. */
export type TagChange = { account_id: string; thread_ids: string[]; tag_ids: string[] };

/** Which of the tags each thread carries. */
async function readCarried(table: Table, change: TagChange): Promise<Map<string, string[]>> {
  const threads = await table.getMany<Thread>(change.thread_ids.map((id) => keys.record('threads', id)));
  return new Map(
    threads.map(({ id, tag_ids }) => [id, change.tag_ids.filter((tag) => tag_ids?.has(tag) === true)]),
  );
}

async function writePlaces(
  table: Table,
  { tag_ids }: TagChange,
  entries: ThreadEntry[],
  carried: Map<string, string[]>,
): Promise<void> {
  const places = entries.flatMap((entry) =>
    tag_ids.map((tag) => ({
      posting: tagPosting(entry, tag),
      stays: carried.get(entry.thread_id)?.includes(tag) === true,
    })),
  );
  // A thread that goes from one list to another is in both for a moment, and never in none.
  await table.writeMany(places.filter(({ stays }) => stays).map(({ posting }) => ({ put: posting })));
  await table.writeMany(
    places.filter(({ stays }) => !stays).map(({ posting }) => ({ delete: keyOf(posting) })),
  );
}

/**
 * Brings everyone's lists of threads with these tags up to what the threads carry. A worker that finds that this has
 * changed does it again, so that of several at once the last goes by what is there.
 */
export async function indexTags(table: Table, change: TagChange): Promise<void> {
  const [users, first] = await Promise.all([listUsers(table, change.account_id), readCarried(table, change)]);
  let carried = first;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const entries = await table.getMany<ThreadEntry>(
      change.thread_ids.flatMap((thread) => users.map((user) => keys.threadEntry(user.id, thread))),
    );
    await writePlaces(table, change, entries, carried);
    const now = await readCarried(table, change);
    if (isDeepStrictEqual(now, carried)) return;
    carried = now;
    await backoff(attempt);
  }
  throw new Error('The tags of a thread kept changing');
}
