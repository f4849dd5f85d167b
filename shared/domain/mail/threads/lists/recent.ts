import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import { mayShow } from '../policy.ts';
import type { Thread, ThreadEntry } from '../thread.ts';
import { listNames, type ThreadPosting, threadOf } from './postings.ts';
import { readLists } from './read.ts';

/** Who is on the caller's newest threads. */

/** Threads that are read for one response, as of open threads: anybody can send any amount of mail. */
const NEWEST = 10_000;
const AT_ONCE = 1_000;

/** The entries of postings that the caller may see. Milliseconds old, at half the price. */
async function readEntries(
  { table, caller: { user } }: CallerContext,
  postings: ThreadPosting[],
): Promise<ThreadEntry[]> {
  const rankOf = new Map(postings.map(({ SK }) => [threadOf(SK), SK]));
  const wanted = [...rankOf.keys()].map((id) => keys.threadEntry(user.id, id));
  const entries = (await table.getMany<ThreadEntry>(wanted, { consistent: false })).filter(
    ({ thread_id, rank }) => rankOf.get(thread_id) === rank,
  );
  // The user's own access decides for most; only the thread knows its shares.
  const reads = ({ mailbox_ids }: ThreadEntry) =>
    mailbox_ids.every((id) => Object.hasOwn(user.mailboxes, id));
  const others = entries.filter((entry) => !reads(entry));
  const threads = await table.getMany<Thread>(
    others.map(({ thread_id }) => keys.record('threads', thread_id)),
  );
  const byId = new Map(threads.map((thread) => [thread.id, thread]));
  return entries.filter((entry) => {
    const thread = byId.get(entry.thread_id);
    return reads(entry) || (thread !== undefined && mayShow(user, thread, entry));
  });
}

/** The addresses on the threads whose newest message is later than this moment, in milliseconds. */
export async function mailAddressesSince(ctx: CallerContext, since: number): Promise<string[]> {
  const later = { list: listNames.all, from: timeRank(since + 1) };
  const newest = readLists(ctx, [[later]], { page_size: AT_ONCE, max_steps: Number.POSITIVE_INFINITY });
  const found = new Set<string>();
  for (let read = 0; read < NEWEST && !newest.ended; read += AT_ONCE)
    for (const { participant_names } of await readEntries(ctx, await newest.take(AT_ONCE)))
      for (const address of Object.keys(participant_names)) found.add(address);
  return [...found];
}
