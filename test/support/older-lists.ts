import { postingWrites, readEntries } from '#shared/domain/collaboration/record-lists/change.ts';
import type { ListEntry, Listed } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { Table } from '#shared/table/table.ts';

/** Lists a record as older code did. */
export async function listAsBefore(
  table: Table,
  ref: RecordRef,
  older: (listed: Listed) => Listed,
): Promise<void> {
  for (const entry of await readEntries(table, ref)) {
    const before = older(entry.listed);
    await table.transact(postingWrites(entry, entry.listed, before));
    await table.put({ ...entry, listed: before } satisfies ListEntry);
  }
}
