import { hasComments } from '#shared/domain/collaboration/comments/dependent.ts';
import { moveDependents } from '#shared/domain/collaboration/life/carry.ts';
import { endOfMerge, mergeWrites } from '#shared/domain/collaboration/life/end.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { either, missing, sized, type Table, TRANSACTION_LIMIT, when } from '#shared/table/table.ts';
import type { Ingestion } from './delivery.ts';
import { threadRef } from './discard.ts';
import { hasReceived, nextEntry, stateOf, valuesOf } from './entry.ts';
import { clearTerms, entryWrites } from './lists/write-entry.ts';
import { clearViews } from './mailbox-views.ts';
import { findThread } from './policy.ts';
import type { EntryState, Thread, ThreadEntry } from './thread.ts';

/**
 * Merges a thread into another. Once announced, nothing is added to it, and its id leads to the other one. Its messages
 * move first, then what people added: comments, tags, and each user's state.
 */

/** Whether it has comments or tags, which its readers wrote for each other. */
export async function isAnnotated(table: Table, { id, tag_ids }: Thread): Promise<boolean> {
  if (tag_ids !== undefined && tag_ids.size > 0) return true;
  return hasComments(table, threadRef(id));
}

/** Throws ConditionFailed when it was merged or shared meanwhile. */
export async function announce(table: Table, from: Thread, into: string): Promise<void> {
  const unshared = when<Thread>({ shares: either(missing, sized(0)) });
  await table.transact(mergeWrites(threadRef(from.id), into, unshared));
}

/** The mark of a thread of own messages alone says nothing of messages from others, which have marks of their own. */
function unreadOf(a: ThreadEntry, b: ThreadEntry): Pick<EntryState, 'unread'> {
  const received = [a, b].filter(hasReceived);
  const counted = received.length > 0 ? received : [a, b];
  return counted.some(({ unread }) => unread) ? { unread: 1 } : {};
}

/** A user's state of both threads: what is unread, flagged or open in one of them stays so. */
function together(a: ThreadEntry, b: ThreadEntry): EntryState {
  // An unread message was not there when the other thread was snoozed.
  const isKept = (one: ThreadEntry, other: ThreadEntry) => one.snoozed_until !== undefined && !other.unread;
  const snoozed: EntryState = isKept(a, b) ? a : isKept(b, a) ? b : {};
  return stateOf({
    ...unreadOf(a, b),
    ...(a.flagged || b.flagged ? { flagged: 1 } : {}),
    ...(a.resolved && b.resolved ? { resolved: true } : {}),
    ...(snoozed.snooze_until === undefined ? {} : { snooze_until: snoozed.snooze_until }),
    ...(snoozed.snoozed_until === undefined ? {} : { snoozed_until: snoozed.snoozed_until }),
  });
}

/** The entry of the other thread with the user's state of both. The refresh that follows counts again. */
function absorbed(from: ThreadEntry, before: ThreadEntry | undefined, into: string): ThreadEntry {
  if (before) {
    const values = valuesOf(before);
    const counted = {
      received_count: values.received_count + from.received_count,
      starred_count: (values.starred_count ?? 0) + (from.starred_count ?? 0),
    };
    return nextEntry(before, { ...values, ...counted }, together(before, from));
  }
  const rankOf = (moment: string) => `${timeRank(Date.parse(moment))}#${into}`;
  const { inbox_rank, ...values } = valuesOf(from);
  const ranks = {
    rank: rankOf(from.last_sent_at),
    ...(inbox_rank !== undefined && from.inbox_sort_time !== null
      ? { inbox_rank: rankOf(from.inbox_sort_time) }
      : {}),
  };
  return nextEntry(undefined, { ...values, ...ranks, thread_id: into, version: 0 }, stateOf(from));
}

function absorbEntry(table: Table, user_id: string, from: string, into: string): Promise<void> {
  return retryOnConflict(async () => {
    const [old, before] = await Promise.all([
      table.get<ThreadEntry>(keys.threadEntry(user_id, from)),
      table.get<ThreadEntry>(keys.threadEntry(user_id, into)),
    ]);
    if (!old) return;
    const writes = [...entryWrites(before, absorbed(old, before, into)), ...entryWrites(old, undefined)];
    await table.transact(writes.slice(0, TRANSACTION_LIMIT));
    // For a thread in very many mailboxes; stale postings of its words and people are skipped until they are deleted.
    for (const write of writes.slice(TRANSACTION_LIMIT)) await table.transact([write]);
    await clearTerms(table, old);
  });
}

export type Regrouping = Pick<Ingestion, 'table' | 'members' | 'now' | 'ports'>;

/** Moves the rest of an announced thread, and ends the merge. */
export async function absorb(
  { table, members, now, ports }: Regrouping,
  { account_id, id }: Thread,
): Promise<void> {
  const [from, into] = await Promise.all([
    table.get<Thread>(keys.record('threads', id)),
    findThread(table, account_id, id),
  ]);
  if (!from?.merging || !into) return;
  const entries = await table.getMany<ThreadEntry>(
    members.users.map((user) => keys.threadEntry(user.id, from.id)),
  );
  for (const entry of entries) await absorbEntry(table, entry.user_id, from.id, into.id);
  await clearViews(table, from);
  await moveDependents({ table, clock: now, ports }, threadRef(from.id), threadRef(into.id));
  await adoptSummaries(table, from, into);
  await table.transact([endOfMerge(from)]);
}

/** Each summary is for readers of certain mailboxes; the other thread's own are newer. */
async function adoptSummaries(table: Table, from: Thread, into: Thread): Promise<void> {
  const summaries = { ...from.summaries, ...into.summaries };
  if (Object.keys(summaries).length === Object.keys(into.summaries ?? {}).length) return;
  await table.update<Thread>(keys.record('threads', into.id), { set: { summaries }, when: isLive }, 'NONE');
}
