import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import { present } from '#shared/table/table.ts';
import { mayShow } from '../policy.ts';
import type { Thread, ThreadEntry } from '../thread.ts';
import { listNames, type ThreadPosting, threadOf } from './postings.ts';
import { readLists } from './read.ts';

/** Threads of which the caller sees messages through a share only: what they say belongs to no mailbox of the caller. */

/** Postings of the first read: all of most users, and those of a few people. */
const ALL = 200;
const SOME = 25;

/** The entries of postings that the caller may see: only the thread knows its shares. */
async function readEntries(
  { table, caller: { user } }: CallerContext,
  postings: ThreadPosting[],
): Promise<ThreadEntry[]> {
  const rankOf = new Map(postings.map(({ SK }) => [threadOf(SK), SK]));
  const ids = [...rankOf.keys()];
  const [entries, threads] = await Promise.all([
    table.getMany<ThreadEntry>(ids.map((id) => keys.threadEntry(user.id, id))),
    table.getMany<Thread>(ids.map((id) => keys.record('threads', id))),
  ]);
  const byId = new Map(threads.map((thread) => [thread.id, thread]));
  return entries.filter(({ thread_id, rank, ...entry }) => {
    const thread = byId.get(thread_id);
    return (
      rank === rankOf.get(thread_id) && thread !== undefined && mayShow(user, thread, entry as ThreadEntry)
    );
  });
}

interface Asked {
  /** Threads with a message later than this, in milliseconds. */
  since?: number;
  /** Threads with one of these. */
  addresses?: string[];
}

/** By address: the newest message with it in these threads, in milliseconds. All of them are read. */
export async function lastSharedMail(
  ctx: CallerContext,
  { since, addresses }: Asked = {},
): Promise<Map<string, number>> {
  const bounds = since === undefined ? {} : { from: timeRank(since + 1) };
  const opened = (['direct', 'group'] as const).map((how) => ({
    list: listNames.shared(how),
    filter: { through_share: present },
    ...bounds,
  }));
  const withThem = addresses?.map((address) => ({ list: listNames.participant(address) }));
  const found = readLists(ctx, withThem ? [opened, withThem] : [opened], {
    page_size: withThem ? SOME : ALL,
    max_steps: Number.POSITIVE_INFINITY,
  });
  const postings = await found.take(Number.POSITIVE_INFINITY);
  const last = new Map<string, number>();
  for (const { last_with = {} } of await readEntries(ctx, postings))
    for (const [address, moment] of Object.entries(last_with))
      last.set(address, Math.max(moment, last.get(address) ?? Number.NEGATIVE_INFINITY));
  return last;
}
