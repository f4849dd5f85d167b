import { type Dependent, inTransactions } from '#shared/domain/collaboration/life/dependent.ts';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { type DistinctRow, distinguish, forget, otherOf, rowsUnder } from './distinct.ts';

/** Who is not the same person as a merged contact is not its survivor either. */
async function moving(table: Table, from: string, into: string, other: string): Promise<Write[]> {
  if (other === into) return forget(from, into);
  const record = await table.get<RecordItem>(keys.record('contacts', other));
  // A deleted contact may come back.
  const stays = record && record.merged_into === undefined && !record.purging;
  return [...forget(from, other), ...(stays ? distinguish(into, other) : [])];
}

export const distinctContacts: Dependent = {
  async *moving({ table }, from, into) {
    if (from.type !== 'contacts') return;
    const { PK, SK } = rowsUnder(from.id);
    for await (const page of table.pages<DistinctRow>(PK, SK))
      for (const row of page) yield await moving(table, from.id, into.id, otherOf(row));
  },
  async *removing({ table }, record) {
    if (record.type !== 'contacts') return;
    const { PK, SK } = rowsUnder(record.id);
    for await (const page of table.pages<DistinctRow>(PK, SK))
      yield* inTransactions(page.flatMap((row) => forget(record.id, otherOf(row))));
  },
};
