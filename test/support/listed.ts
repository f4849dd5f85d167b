import { changesBetween, entryWrites, writesOf } from '#shared/domain/collaboration/record-lists/change.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { listedOf } from '#shared/domain/collaboration/record-lists/listed.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { AnyItem, Table } from '#shared/table/table.ts';

/** A new record with its places in lists, to be written without an operation. */
export async function listedItems<R extends GuardedItem>(
  table: Table,
  index: RecordIndex<R>,
  record: R,
): Promise<AnyItem[]> {
  const changes = changesBetween(
    { type: index.type, id: record.id },
    [],
    await listedOf(table, index, record),
  );
  const writes = changes.flatMap((change) => [...entryWrites(change), ...writesOf(change)]);
  return [record, ...writes.flatMap((write) => ('put' in write ? [write.put] : []))];
}
