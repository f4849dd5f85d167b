import { postingWrites, readEntries } from '#shared/domain/collaboration/record-lists/change.ts';
import { type ListEntry, type Listed, postingsOf } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { keyOf, type RecordType } from '#shared/table/keys.ts';
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

/** The lists of periods that have the record. */
export async function periodsOf(table: Table, type: RecordType, id: string): Promise<string[]> {
  const entries = await readEntries(table, { type, id });
  const wanted = entries.flatMap((entry) => postingsOf(entry, entry.listed)).map(keyOf);
  const lists = (await table.getMany(wanted)).map(({ PK }) => PK);
  return lists.flatMap((list) => /(?:created|written):[\d-]+$/.exec(list)?.[0] ?? []).sort();
}
