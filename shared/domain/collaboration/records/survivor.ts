import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { RecordRef } from './kind.ts';
import type { RecordItem } from './live.ts';

/** What a record is part of now, over all merges, whoever sees that; the record itself when it is not merged. */
export async function survivorOf(table: Table, { type, id }: RecordRef): Promise<RecordRef> {
  const item = await table.get<RecordItem>(keys.record(type, id));
  return item?.merged_into === undefined ? { type, id } : survivorOf(table, { type, id: item.merged_into });
}
