import { isDeepStrictEqual } from 'node:util';
import { activityWrites, type Happened } from '#shared/domain/collaboration/activity/activity.ts';
import { exchangeWrites } from '#shared/domain/collaboration/custom-fields/exchange.ts';
import { historyWrites } from '#shared/domain/collaboration/history/entry.ts';
import { announceDeletion, announceMerge, returnOf } from '#shared/domain/collaboration/life/end.ts';
import {
  isLive,
  type RecordItem,
  type Resting,
  restsSince,
} from '#shared/domain/collaboration/records/live.ts';
import type { Merged } from '#shared/domain/collaboration/records/merged.ts';
import { isLinkable } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, sizeOf, together } from '#shared/domain/platform/jobs/commit.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { invalidField } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keyOf } from '#shared/table/keys.ts';
import {
  type AllOf,
  asRead,
  mustNotExist,
  TRANSACTION_LIMIT,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import { listChange, listedAsRead, readPlaces, type Writing } from './change.ts';
import type { RecordIndex } from './entry.ts';
import { indexingJob } from './job.ts';
import type { ListedItem } from './listed-item.ts';

/** Changes of records with lists: the record, what its family writes besides, its history and its lists, all or nothing. */

/** Writes of a transaction; the rest is for the proposal that may have caused it. */
export const MAX_WRITES = TRANSACTION_LIMIT - 7;

/** A changed record, with the time of the change; the same object when nothing changed. */
export function afterChange<R extends ListedItem>(before: R, changed: R, now: Date): R {
  return isDeepStrictEqual(changed, before) ? before : { ...changed, updated_at: nextMoment(before, now) };
}

/** The record has not changed, nor what its lists and reminders follow from. */
const asItWas = <R extends ListedItem>(before: R): AllOf<R> => {
  const { updated_at, reminders } = before;
  const same: AllOf<ListedItem> = { ...isLive, updated_at, reminders: asRead(reminders) };
  return { ...(same as AllOf<R>), ...listedAsRead(before) };
};

/** The attributes with different values; undefined ones are removed. */
export function differences<R extends ListedItem>(before: R, after: R) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof R & string)[];
  const changed = names.filter((name) => !isDeepStrictEqual(after[name], before[name]));
  const set = changed.filter((name) => after[name] !== undefined).map((name) => [name, after[name]]);
  return {
    set: Object.fromEntries(set) as Partial<R>,
    remove: changed.filter((name) => after[name] === undefined),
  };
}

/** Without its lists, for changes whose jobs update them. */
export function recordWrite<R extends ListedItem>(before: R | undefined, after: R): Write {
  if (!before) return { put: after, when: mustNotExist };
  return update<R>(keyOf(before), { ...differences(before, after), when: asItWas(before) });
}

type Besides = Write[] | Change;

interface Planned<R extends ListedItem> {
  /** Undefined for a new record. */
  before: R | undefined;
  after: R;
  /** Another record that becomes part of it. */
  gone?: R;
  /** Another one that was part of it, and is a record of its own again. */
  parted?: R;
  /** What the family changes besides: addresses, unique names, notifications. */
  besides: Besides | Promise<Besides>;
  /** A new record whose id another one may have had, which is listed as ended. */
  returning?: boolean;
}

/** 400 when the unique fields of a record need more than is left of a transaction. */
function refuseTooMany(fields: Write[], others: number): void {
  if (fields.length > 0 && fields.length + others > MAX_WRITES)
    throw invalidField('custom_fields', 'too_long', 'change too much at once with the other fields');
}

/** What decides who sees a record of any type, besides its shares. */
const opening = ['visibility', 'user_id', 'assigned_user_id', 'invited_user_ids'] as const;

/** Who sees a record decides in whose lists those that are linked to it are. */
function linkedJobs<R extends ListedItem>(
  { type, opening: further = [] }: RecordIndex<R>,
  { before, after }: Pick<Planned<R>, 'before' | 'after'>,
  now: Date,
): Job[] {
  const names: readonly (keyof R)[] = [...opening, ...further];
  if (!before || !isLinkable(type)) return [];
  if (names.every((name) => isDeepStrictEqual(before[name], after[name]))) return [];
  return [indexingJob({ linked_to: { type, id: after.id } }, now)];
}

/** What timelines tell of the change. */
function told<R extends ListedItem>(
  ctx: Writing,
  { type, activity }: RecordIndex<R>,
  { before, after, gone }: Pick<Planned<R>, 'before' | 'after' | 'gone'>,
): Write[] {
  if (!activity || before === after) return [];
  const merged: Happened[] = gone ? [{ type: 'record_merged', detail: { merged_id: gone.id } }] : [];
  const happened = gone ? merged : activity.happened(before, after);
  const at = before ? (after.updated_at ?? after.created_at) : after.created_at;
  const about = {
    account_id: after.account_id,
    record: { type, id: after.id },
    linked: activity.linked?.(after) ?? [],
  };
  return activityWrites(
    ctx,
    about,
    happened.map((each) => ({ at, ...each })),
  );
}

/** Fails when another request changes the record. */
export async function recordChange<R extends ListedItem>(
  ctx: Writing,
  index: RecordIndex<R>,
  { before, after, gone, parted, besides, returning = false }: Planned<R>,
): Promise<Change> {
  const [beside, places, fields] = await Promise.all([
    besides,
    readPlaces(ctx, index, before, after, returning),
    exchangeWrites(ctx.table, index, { before: [before, gone], after: [after, parted] }),
  ]);
  const own = together(beside);
  const jobs = [...linkedJobs(index, { before, after }, ctx.now), ...own.jobs];
  refuseTooMany(fields, own.writes.length + jobs.length + 1);
  const needed = [recordWrite(before, after), ...own.writes, ...fields];
  // The largest changes of all fill a transaction.
  const history = needed.length + jobs.length < MAX_WRITES ? historyWrites(ctx, index, before, after) : [];
  const left = Math.max(0, MAX_WRITES - needed.length - history.length - jobs.length);
  const activity = told(ctx, index, { before, after, ...(gone ? { gone } : {}) }).slice(0, left);
  const writes = [...needed, ...history, ...activity];
  const room = MAX_WRITES - writes.length - jobs.length;
  return together({ writes, jobs }, listChange(places, room, ctx.now));
}

/** Marks a record as deleted, unless it changed or a further condition does not hold. */
export async function recordDeletion<R extends ListedItem>(
  ctx: CallerContext,
  index: RecordIndex<R>,
  record: R,
  freed: Write[] | Promise<Write[]>,
  further: AllOf<R> = {},
): Promise<Change> {
  const ref = { type: index.type, id: record.id };
  const [own, places, fields] = await Promise.all([
    freed,
    readPlaces(ctx, index, record, undefined),
    exchangeWrites(ctx.table, index, { before: [record], after: [] }),
  ]);
  const unchanged: AllOf<ListedItem> = { updated_at: record.updated_at };
  const announced = announceDeletion(ref, ctx.now, when<R>({ ...(unchanged as AllOf<R>), ...further }));
  const freeing = [...own, ...fields];
  const room = MAX_WRITES - freeing.length - sizeOf(announced);
  return together(announced, freeing, listChange(places, room, ctx.now));
}

/** Makes one record part of another. Fails when one of them changes. */
export async function recordMerge<R extends ListedItem>(
  ctx: Writing,
  index: RecordIndex<R>,
  { before, after, gone, besides }: Merged<R> & { besides: Promise<Write[]> },
): Promise<Change> {
  const ref = { type: index.type, id: gone.id };
  const announced = announceMerge(ref, after.id, ctx.now, when<R>(asItWas(gone)));
  const own = besides.then((writes) => [...writes, ...announced.writes]);
  const [change, places] = await Promise.all([
    recordChange(ctx, index, { before, after, gone, besides: own }),
    readPlaces(ctx, index, gone, undefined),
  ]);
  const both = together(change, { writes: [], jobs: announced.jobs });
  const room = MAX_WRITES - sizeOf(both);
  return together(both, listChange(places, room, ctx.now));
}

/** The marks of its deletion. */
const marks = ['deleting', 'deleted_at', 'restoring'] as const;

/** A deleted record as it is when it is there again, with the time of the return. */
export function returned<R extends ListedItem>(gone: R & Resting, now: Date): R {
  const rest: Partial<R> = { ...gone, updated_at: nextMoment(gone, now) };
  for (const mark of marks) delete rest[mark];
  return rest as R;
}

/**
 * Brings a deleted record back, unless it changed while it rested. A job brings back what it lost. `besides` are the writes
 * of its family, as for a new record.
 */
export async function recordReturn<R extends ListedItem>(
  ctx: CallerContext,
  index: RecordIndex<R>,
  { gone, after, besides }: { gone: R & Resting; after: R; besides: Write[] },
): Promise<Change> {
  const ref = { type: index.type, id: after.id };
  const [places, fields] = await Promise.all([
    readPlaces(ctx, index, gone, after),
    exchangeWrites(ctx.table, index, { before: [], after: [after] }),
  ]);
  refuseTooMany(fields, besides.length + 2);
  const { updated_at, deleted_at, returns_from, returns_to }: RecordItem & typeof gone = gone;
  const unchanged: AllOf<ListedItem & RecordItem> = {
    updated_at,
    ...restsSince(deleted_at),
    returns_from: asRead(returns_from),
    returns_to: asRead(returns_to),
  };
  const back: Write = {
    put: { ...after, restoring: true },
    when: when<R>({ ...(unchanged as AllOf<R>), ...listedAsRead(gone) }),
  };
  const change = { writes: [back, ...besides, ...fields], jobs: [returnOf(ref, ctx.now)] };
  return together(change, listChange(places, MAX_WRITES - sizeOf(change), ctx.now));
}
