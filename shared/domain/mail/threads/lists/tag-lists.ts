import { isDeepStrictEqual } from 'node:util';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import { backoff, TRIES } from '#shared/table/backoff.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Thread, ThreadEntry } from '../thread.ts';
import { listNames, participantsBeside, type ThreadPosting } from './postings.ts';

/** The posting of a thread in the user's list of a tag. */
export function tagPosting(entry: ThreadEntry, tag_id: string): ThreadPosting {
  return {
    ...keys.posting(entry.user_id, listNames.tag(tag_id), entry.rank),
    ...participantsBeside(entry),
  };
}

/** Threads that gained or lost tags. */
export type TagChange = { account_id: string; thread_ids: string[]; tag_ids: string[] };

/** The tags of the change that each thread has now. */
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
  // A thread that moves from one list to another is briefly in both, and never in none.
  await table.writeMany(places.filter(({ stays }) => stays).map(({ posting }) => ({ put: posting })));
  await table.writeMany(
    places.filter(({ stays }) => !stays).map(({ posting }) => ({ delete: keyOf(posting) })),
  );
}

/**
 * Updates all users' lists of these tags to the threads' current tags. A worker that finds a further change repeats it,
 * so that of several workers the last one writes the current state.
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
