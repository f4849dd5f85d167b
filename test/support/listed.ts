import { changesBetween, changeWrites } from '#shared/domain/collaboration/record-lists/change.ts';
import type { ListEntry, RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { listedOf } from '#shared/domain/collaboration/record-lists/listed.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
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

/** The counters of counted lists, for records that were all written without an operation. */
export function countersOf(items: AnyItem[]): AnyItem[] {
  const counts = new Map<string, AnyItem & { record_count: number }>();
  for (const { owner, record_type, listed } of items.filter((item): item is ListEntry => 'listed' in item))
    for (const list of listed.counted ?? []) {
      const key = keys.listCount(owner, record_type, list);
      const { record_count = 0 } = counts.get(key.PK) ?? {};
      counts.set(key.PK, { ...key, record_count: record_count + 1 });
    }
  return [...counts.values()];
}
