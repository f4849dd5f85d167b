import { changesBetween, changeWrites } from '#shared/domain/collaboration/record-lists/change.ts';
import type { ListEntry, RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { addToCounters, type Counters } from '#shared/domain/collaboration/record-lists/expected-counters.ts';
import { listedOf } from '#shared/domain/collaboration/record-lists/listed.ts';
import { searchIndexOf } from '#shared/domain/collaboration/record-lists/searched.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { sortIndex } from '#shared/domain/platform/text-index/sort.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { AnyItem, Table } from '#shared/table/table.ts';

/** A new record with its places in lists, to be written without an operation. */
export async function listedItems<R extends GuardedItem>(
  table: Table,
  index: RecordIndex<R>,
  record: R,
): Promise<AnyItem[]> {
  // Without the definitions, which would be read for each.
  const { custom_fields: _, ...free } = index;
  const changes = changesBetween(
    { type: index.type, id: record.id },
    [],
    (await listedOf(table, free, record)) ?? new Map(),
  );
  const writes = changes.flatMap(changeWrites);
  return [record, ...writes.flatMap((write) => ('put' in write ? [write.put] : []))];
}

interface Copies<R> {
  model: R;
  count: number;
  /** When each was created; now when omitted. */
  createdAt?: (i: number) => number;
}

/** Copies of a stored record with fields of their own, and their places in lists. */
export async function listedCopies<R extends GuardedItem>(
  table: Table,
  index: RecordIndex<R>,
  { model, count, createdAt = Date.now }: Copies<R>,
  fieldsOf: (i: number, id: string) => object,
): Promise<AnyItem[]> {
  const items: AnyItem[] = [];
  for (let i = 0; i < count; i++) {
    const created = new Date(createdAt(i));
    const id = newId(created);
    const copy = {
      ...{ ...model, ...keys.record(index.type, id), id, created_at: created.toISOString() },
      ...fieldsOf(i, id),
    };
    items.push(...(await listedItems(table, index, copy)));
  }
  return items;
}

/** Sorts the indexes in which the search over all records finds what was written for these owners. */
export async function sortRecords(table: Table, owners: readonly string[]): Promise<void> {
  const ctx = { table, clock: () => new Date() };
  for (const owner of owners) await sortIndex(ctx, searchIndexOf(owner), { timeIsUp: () => false });
}

/** Adds the records to the counters of their lists, for records that were all written without an operation. */
export function addAllToCounters(counters: Counters, items: AnyItem[]): void {
  for (const entry of items.filter((item): item is ListEntry => 'listed' in item))
    addToCounters(counters, entry);
}

export const counterItems = (counters: Counters): AnyItem[] =>
  [...counters.values()].map(({ counts, ...key }) => ({ ...key, ...counts }));

/** The counters of such records. */
export function countersOf(items: AnyItem[]): AnyItem[] {
  const counters: Counters = new Map();
  addAllToCounters(counters, items);
  return counterItems(counters);
}
