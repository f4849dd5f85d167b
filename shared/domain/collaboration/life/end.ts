import { asOfNow, type Context } from '#shared/context.ts';
import { forgetWrite } from '#shared/domain/collaboration/record-lists/forget.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import {
  isLive,
  isResting,
  type RecordItem,
  type Resting,
  restsSince,
} from '#shared/domain/collaboration/records/live.ts';
import { type Change, commit, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import { complete, type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import { type KeepsLists, listJobs } from '#shared/domain/platform/lists/keeper.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { asRead, type Condition, every, update, type Write, when } from '#shared/table/table.ts';
import { hideDependents, isBack, moveDependents, removeDependents, restoreDependents } from './carry.ts';
import type { KnowsDependents } from './dependent.ts';
import { inheritanceOf } from './heir.ts';
import { mayRest, purgeWrite } from './rest.ts';
import { completeReturns } from './return.ts';

/**
 * The end of a record, by deletion or by a merge, and the end of a merge that was taken back. First its item is marked and
 * a job enqueued: from then on nothing is added to it. Then its dependents move or are removed, and finally the item itself
 * ends, with the job.
 */

type MergedItem = RecordItem & { account_id: string };

/** The message of the queue `remove-records`. */
export interface RemovedRecord {
  record_type: RecordRef['type'];
  record_id: string;
}

/** The job that completes what the record's item announces. */
export function removalOf({ type, id }: RecordRef, now: Date): Job {
  const body: RemovedRecord = { record_type: type, record_id: id };
  return newJob('remove-records', { ...body }, now);
}

/** Milliseconds after which the sweep sends what its request did not do: longer than a request may run. */
const UNSENT = 60_000;

/** The job that brings back what a restored record lost: its request does it. */
export const returnOf = (record: RecordRef, now: Date): Job => ({
  ...removalOf(record, now),
  due: now.getTime() + UNSENT,
  sends: 0,
});

const announced = (unchanged: Condition | undefined) =>
  unchanged ? every(when(isLive), unchanged) : when(isLive);

/**
 * Marks a record as deleted: from then on nobody finds it. `unchanged` is the condition that it is as its family read
 * it.
 */
export function announceDeletion(record: RecordRef, now: Date, unchanged?: Condition): Change {
  const gone = update<RecordItem>(keys.record(record.type, record.id), {
    set: { deleting: true, deleted_at: now.toISOString() },
    remove: ['list', 'rank'],
    when: announced(unchanged),
  });
  return { writes: [gone], jobs: [removalOf(record, now)] };
}

function markMerged(
  { type, id }: RecordRef,
  into: string,
  unchanged: Condition | undefined,
  returnable?: true,
): Write {
  return update<RecordItem>(keys.record(type, id), {
    set: { merged_into: into, merging: true, returnable },
    remove: ['list', 'rank'],
    when: announced(unchanged),
  });
}

/**
 * Marks a record as merged: from then on its id leads to the other record. For families that move their own data before
 * the dependents.
 */
export function mergeWrites(record: RecordRef, into: string, unchanged?: Condition): Write[] {
  return [markMerged(record, into, unchanged), { check: keys.record(record.type, into), when: when(isLive) }];
}

/**
 * Marks a record as merged, in the transaction that writes the other one with its id in `merged_ids`: its dependents follow
 * by a job, and can return. `unchanged` is the condition that it is as its family read it.
 */
export function announceMerge(record: RecordRef, into: string, now: Date, unchanged: Condition): Change {
  return { writes: [markMerged(record, into, unchanged, true)], jobs: [removalOf(record, now)] };
}

/** Ends a merge unless the tags changed since they moved: a clean-up of tags may have changed them. */
export function endOfMerge({ PK, SK, tag_ids }: RecordItem): Write {
  return update<RecordItem>(
    { PK, SK },
    { remove: ['merging', 'tag_ids'], when: { merging: true, tag_ids: asRead(tag_ids) } },
  );
}

/** The record without its content, which the other one has: only where its id leads. */
function pointerOf({ PK, SK, account_id, merged_into, tag_ids }: MergedItem): Write {
  return {
    put: { PK, SK, account_id, merged_into },
    when: when<RecordItem>({ merging: true, tag_ids: asRead(tag_ids) }),
  };
}

type Ending = Context<KnowsDependents & KeepsLists>;

const markOf = ({ PK, SK, account_id }: MergedItem): RecordItem & { account_id: string } => ({
  ...{ PK, SK, account_id },
  ...{ deleting: true, purging: true, leaves_mark: true },
});

/** The last transaction of a record that is deleted or merged; the lists of its heir follow. */
function endOf(ctx: Ending, item: MergedItem, heir: RecordRef | undefined): Change {
  if (item.deleting) {
    const gone = when<RecordItem>({ deleting: true });
    const write: Write = item.leaves_mark
      ? { put: markOf(item), when: gone }
      : { delete: keyOf(item), when: gone };
    return { writes: [write], jobs: [] };
  }
  const change = heir && { account_id: item.account_id, record: heir, user_ids: [] };
  return { writes: [pointerOf(item)], jobs: change ? listJobs(asOfNow(ctx), change) : [] };
}

type Step = (timeIsUp: () => boolean) => Promise<{ all: boolean; change: Change }>;

/** A deleted record rests: what shows without it goes. */
const resting =
  (ctx: Ending, ref: RecordRef, { PK, SK, deleted_at }: MergedItem & Resting): Step =>
  async (timeIsUp) => {
    const all = await hideDependents(ctx, { ...ref, deleted_at }, timeIsUp);
    const still: Write = { check: { PK, SK }, when: when<RecordItem>(restsSince(deleted_at)) };
    return { all, change: together([still, purgeWrite(ref, deleted_at, ctx.clock())]) };
  };

/** What waits for the end of this record's rest goes on: the merges of others into it. */
async function wakeMerged(ctx: Ending, { type }: RecordRef, { merged_ids = [] }: RecordItem): Promise<void> {
  const items = await ctx.table.getMany<RecordItem & { id: string }>(
    merged_ids.map((id) => keys.record(type, id)),
  );
  for (const { id, merging } of items)
    if (merging) await commit(ctx, { writes: [], jobs: [removalOf({ type, id }, ctx.clock())] });
}

type Followed = MergedItem & { shares?: Record<string, { group_id: string | null }> };

/** Its lists follow from what may have changed since its return was planned: tags, and members of groups. */
const isFollowed = ({ tag_ids, shares = {} }: Followed): boolean =>
  tag_ids !== undefined || Object.values(shares).some(({ group_id }) => group_id !== null);

/** What a restored record lost comes back. */
const restoring =
  (ctx: Ending, ref: RecordRef, item: MergedItem): Step =>
  async (timeIsUp) => {
    const { PK, SK, account_id } = item;
    const followed = { account_id, record: ref, user_ids: [] };
    const all = await restoreDependents(ctx, ref, timeIsUp);
    if (all) await wakeMerged(ctx, ref, item);
    const done = update<RecordItem>({ PK, SK }, { remove: ['restoring'], when: isBack });
    const jobs = isFollowed(item) ? listJobs(asOfNow(ctx), followed) : [];
    return { all, change: { writes: [done], jobs } };
  };

/** The last transaction; the record is forgotten when nobody has to learn of its end any more. */
function lastOf(ctx: Ending, ref: RecordRef, item: MergedItem, heir?: RecordRef): Change {
  const now = ctx.clock();
  const forgotten = forgetWrite(ref, Date.parse(item.deleted_at ?? '') || now.getTime(), now);
  return together(endOf(ctx, item, heir), [forgotten]);
}

/** A deleted record that does not rest, or no longer, ends. */
const removing =
  (ctx: Ending, ref: RecordRef, item: MergedItem): Step =>
  async (timeIsUp) => {
    const all = await removeDependents(ctx, ref, timeIsUp);
    if (all) await wakeMerged(ctx, ref, item);
    return { all, change: lastOf(ctx, ref, item) };
  };

/** A merged record ends. While its heir rests, it waits: what is restored comes back first, and then what merges into it. */
const merging =
  (ctx: Ending, ref: RecordRef, item: MergedItem): Step =>
  async (timeIsUp) => {
    const inheritance = await inheritanceOf(ctx.table, ref, item);
    if (inheritance === 'rests') return { all: true, change: noChange };
    const restored = [
      ...(item.restoring ? [ref] : []),
      ...(inheritance?.restoring ? [inheritance.into] : []),
    ];
    for (const each of restored)
      if (!(await restoreDependents(ctx, each, timeIsUp))) return { all: false, change: noChange };
    if (item.restoring) await wakeMerged(ctx, ref, item);
    const all = inheritance
      ? await moveDependents(ctx, inheritance.from, inheritance.into, timeIsUp)
      : await removeDependents(ctx, ref, timeIsUp);
    return { all, change: lastOf(ctx, ref, item, inheritance?.into) };
  };

function stepOf(ctx: Ending, ref: RecordRef, item: MergedItem | undefined): Step | undefined {
  if (isResting(item) && mayRest(ref)) return resting(ctx, ref, item);
  if (item?.deleting) return removing(ctx, ref, item);
  if (item?.merging) return merging(ctx, ref, item);
  return item?.restoring ? restoring(ctx, ref, item) : undefined;
}

async function tryToEnd(
  ctx: Ending,
  record: RecordRef,
  done: Write,
  timeIsUp: () => boolean,
): Promise<boolean> {
  const item = await ctx.table.get<MergedItem>(keys.record(record.type, record.id));
  if (item && !(await completeReturns(ctx, record, item, timeIsUp))) return false;
  const { all, change } = (await stepOf(ctx, record, item)?.(timeIsUp)) ?? { all: true, change: noChange };
  if (all) await commit(ctx, together(change, [done]));
  return all;
}

/** `more` when the time was up: another message of the job continues. Idempotent. */
export async function removeRecord(
  ctx: Ending,
  job_id: string,
  { record_type, record_id }: RemovedRecord,
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const record = { type: record_type, id: record_id };
  const ended = await retryOnConflict(() => tryToEnd(ctx, record, complete(job_id), timeIsUp));
  return ended ? 'done' : 'more';
}
