import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isResting, isThere, type Resting, restsSince } from '#shared/domain/collaboration/records/live.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keyOf, keys, type RecordType } from '#shared/table/keys.ts';
import { type AllOf, type Table, update, type Write } from '#shared/table/table.ts';
import type { Writing } from './change.ts';
import type { RecordIndex } from './entry.ts';
import type { ListedItem } from './listed-item.ts';
import { differences, recordChange } from './record-change.ts';

/** Changes of records by the return of another one. */

/** Merges that an id may follow. */
const MAX_MERGES = 10;

/** The item of the record, or of the one that it was merged into; undefined when it is gone. */
export async function currentItem<R extends ListedItem>(
  table: Table,
  { type, id }: RecordRef,
): Promise<R | undefined> {
  let item = await table.get<R>(keys.record(type, id));
  for (let step = 0; step < MAX_MERGES && item?.merged_into !== undefined; step++)
    item = await table.get<R>(keys.record(type, item.merged_into));
  return item?.merged_into === undefined ? item : undefined;
}

/** A deleted record changes too, so that it is right when it is restored. */
function restingChange<R extends ListedItem>(before: R & Resting, after: R): Write[] {
  const when = { ...restsSince(before.deleted_at), updated_at: before.updated_at } as AllOf<ListedItem>;
  return [update<R>(keyOf(before), { ...differences(before, after), when: when as AllOf<R> })];
}

interface Again<R> {
  /** The same object when nothing changes. */
  change(before: R): R;
  /** Of a record that is there. */
  besides(before: R, after: R): Write[] | Promise<Write[]>;
}

/** The transaction that changes a record; none when it is gone, or stays as it is. */
export async function changeAgain<R extends ListedItem>(
  ctx: Writing,
  index: RecordIndex<R>,
  id: string,
  { change, besides }: Again<R>,
): Promise<Write[]> {
  const before = await currentItem<R>(ctx.table, { type: index.type as RecordType, id });
  if (!before) return [];
  const changed = change(before);
  if (changed === before) return [];
  const after: R = { ...changed, updated_at: nextMoment(before, ctx.now) };
  if (isResting(before)) return restingChange(before, after);
  if (!isThere(before)) return [];
  const { writes, jobs } = await recordChange(ctx, index, { before, after, besides: besides(before, after) });
  return [...writes, ...jobs.map(enqueue)];
}
