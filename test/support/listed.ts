import { changesBetween, changeWrites } from '#shared/domain/collaboration/record-lists/change.ts';
import { additionsOf } from '#shared/domain/collaboration/record-lists/day-counters.ts';
import type { ListEntry, RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { listedOf } from '#shared/domain/collaboration/record-lists/listed.ts';
import { type PackedList, packedIn, packedName } from '#shared/domain/collaboration/record-lists/packed.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { newId } from '#shared/ids.ts';
import { type Key, keys } from '#shared/table/keys.ts';
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

type Counters = Map<string, AnyItem>;

function addTo(counters: Counters, key: Key, add: Record<string, number>): void {
  const name = `${key.PK} ${key.SK}`;
  const counter: AnyItem = counters.get(name) ?? { ...key };
  for (const [each, by] of Object.entries(add)) counter[each] = Number(counter[each] ?? 0) + by;
  counters.set(name, counter);
}

function addName(counters: Counters, key: Key, name: string): void {
  const at = `${key.PK} ${key.SK}`;
  const list = (counters.get(at) as PackedList | undefined) ?? { ...key };
  counters.set(at, { ...list, names: new Set(list.names).add(name) });
}

/** Adds the records to the counters of their lists, for records that were all written without an operation. */
export function addToCounters(counters: Counters, items: AnyItem[]): void {
  for (const entry of items.filter((item): item is ListEntry => 'listed' in item)) {
    const { owner, record_type, listed } = entry;
    for (const list of listed.counted ?? [])
      addTo(counters, keys.listCount(owner, record_type, list), { record_count: 1 });
    for (const { key, add } of additionsOf(entry, listed, 1)) addTo(counters, key, { ...add });
    for (const key of packedIn(entry, listed).values())
      addName(counters, key, packedName(entry.record_id).name);
    if (listed.summed) {
      const { name, units } = listed.summed;
      addTo(counters, keys.listSum(owner, record_type, name), { record_count: 1, units: Number(units) });
    }
  }
}

/** The counters of such records. */
export function countersOf(items: AnyItem[]): AnyItem[] {
  const counters: Counters = new Map();
  addToCounters(counters, items);
  return [...counters.values()];
}
