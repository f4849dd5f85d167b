import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import { mayShow } from '../policy.ts';
import type { Thread, ThreadEntry } from '../thread.ts';
import type { Row } from './criteria.ts';
import { type ThreadPosting, threadOf } from './postings.ts';

/** The order of a list: by the latest message, or the latest received one. */
export type Order = 'rank' | 'inbox_rank';

/** The threads of postings as the caller sees them, in the same order, without those that may not be shown. */
export async function readRows(
  { table, caller }: CallerContext,
  postings: ThreadPosting[],
  order: Order,
): Promise<Row[]> {
  const ids = postings.map(({ SK }) => threadOf(SK));
  const [entries, threads] = await Promise.all([
    table.getMany<ThreadEntry>(ids.map((id) => keys.threadEntry(caller.user.id, id))),
    table.getMany<Thread>(ids.map((id) => keys.record('threads', id))),
  ]);
  const entryOf = new Map(entries.map((entry) => [entry.thread_id, entry]));
  const threadById = new Map(threads.map((thread) => [thread.id, thread]));
  return postings.flatMap(({ SK }) => {
    const [entry, thread] = [entryOf.get(threadOf(SK)), threadById.get(threadOf(SK))];
    // A stale posting, or a thread that is being merged.
    if (!entry || !thread || entry[order] !== SK) return [];
    return mayShow(caller.user, thread, entry) ? [{ entry, thread }] : [];
  });
}
