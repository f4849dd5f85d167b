import { type Dependent, inTransactions } from '#shared/domain/collaboration/life/dependent.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { keyOf } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { asBefore, readEntries } from './change.ts';
import { counterWrites } from './counters.ts';
import { postingsOf } from './entry.ts';

/** The places in lists of a record that is merged or deleted: it is in none afterwards. */
async function* removing(table: Table, record: RecordRef): AsyncGenerator<Write[]> {
  for (const entry of await readEntries(table, record)) {
    const postings = [...postingsOf(entry, entry.listed), ...postingsOf(entry, entry.next)];
    const distinct = new Map(postings.map((posting) => [`${posting.PK} ${posting.SK}`, keyOf(posting)]));
    yield* inTransactions([...distinct.values()].map((key) => ({ delete: key })));
    yield [{ delete: keyOf(entry), when: asBefore(entry) }, ...counterWrites(entry, entry.listed, {})];
  }
}

export const placesOfRecords: Dependent = {
  moving: ({ table }, from) => removing(table, from),
  removing: ({ table }, record) => removing(table, record),
};
