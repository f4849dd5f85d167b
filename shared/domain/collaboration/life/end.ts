import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isLive, isThere, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import { complete, type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { asRead, type Condition, every, type Table, update, type Write, when } from '#shared/table/table.ts';
import { type Carrying, moveDependents, removeDependents } from './carry.ts';

/**
 * The end of a record, by deletion or by a merge. First its item is marked and a job enqueued: from then on nothing is
 * added to it. Then its dependents move or are removed, and finally the item itself ends, with the job.
 */

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

const announced = (unchanged: Condition | undefined) =>
  unchanged ? every(when(isLive), unchanged) : when(isLive);

/**
 * Marks a record as deleted: from then on nobody finds it. `unchanged` is the condition that it is as its family read
 * it.
 */
export function announceDeletion(record: RecordRef, now: Date, unchanged?: Condition): Change {
  const gone = update<RecordItem>(keys.record(record.type, record.id), {
    set: { deleting: true },
    remove: ['list', 'rank'],
    when: announced(unchanged),
  });
  return { writes: [gone], jobs: [removalOf(record, now)] };
}

/**
 * Marks a record as merged: from then on its id leads to the other record. For families that move their own data before
 * the dependents.
 */
export function mergeWrites({ type, id }: RecordRef, into: string, unchanged?: Condition): Write[] {
  const gone = update<RecordItem>(keys.record(type, id), {
    set: { merged_into: into, merging: true },
    remove: ['list', 'rank'],
    when: announced(unchanged),
  });
  return [gone, { check: keys.record(type, into), when: when(isLive) }];
}

/** Ends a merge unless the tags changed since they moved: a clean-up of tags may have changed them. */
export function endOfMerge({ PK, SK, tag_ids }: RecordItem): Write {
  return update<RecordItem>(
    { PK, SK },
    { remove: ['merging', 'tag_ids'], when: { merging: true, tag_ids: asRead(tag_ids) } },
  );
}

/** Merges that an id may follow. */
const MAX_MERGES = 10;

/** The record that a merged one became part of; undefined when that was deleted. */
async function heirOf(table: Table, { type, id }: RecordRef): Promise<RecordRef | undefined> {
  let current = id;
  for (let step = 0; step <= MAX_MERGES; step++) {
    const item = await table.get<RecordItem>(keys.record(type, current));
    if (!isThere(item)) return undefined;
    if (item.merged_into === undefined) return { type, id: current };
    current = item.merged_into;
  }
  return undefined;
}

async function tryToEnd(
  ctx: Carrying,
  record: RecordRef,
  done: Write,
  timeIsUp: () => boolean,
): Promise<boolean> {
  const { table } = ctx;
  const key = keys.record(record.type, record.id);
  const item = await table.get<RecordItem>(key);
  const heir = item?.merging ? await heirOf(table, record) : undefined;
  if (item?.deleting || item?.merging) {
    const all = heir
      ? await moveDependents(ctx, record, heir, timeIsUp)
      : await removeDependents(ctx, record, timeIsUp);
    if (!all) return false;
  }
  const last: Write[] = item?.deleting
    ? [{ delete: key, when: when<RecordItem>({ deleting: true }) }]
    : item?.merging
      ? [endOfMerge(item)]
      : [];
  await table.transact([...last, done]);
  return true;
}

/** `more` when the time was up: another message of the job continues. Idempotent. */
export async function removeRecord(
  ctx: Carrying,
  job_id: string,
  { record_type, record_id }: RemovedRecord,
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const record = { type: record_type, id: record_id };
  const ended = await retryOnConflict(() => tryToEnd(ctx, record, complete(job_id), timeIsUp));
  return ended ? 'done' : 'more';
}
