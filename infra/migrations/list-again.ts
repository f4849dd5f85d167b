import { mapAtOnce } from '#shared/at-once.ts';
import { listsOfRecords } from '#shared/composition/record-lists.ts';
import { indexRecord } from '#shared/domain/collaboration/record-lists/index-record.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { eachPage } from './each-page.ts';
import type { Migration } from './migrate.ts';

/** Brings the lists of a record to what they should be by now. */

/** Each is some round trips. */
const AT_ONCE = 16;

const { SK: META } = keys.record('contacts', '');

/** The id of a record of this type. */
export function recordIdOf({ PK, SK }: Item, type: RecordType): string | undefined {
  const { PK: prefix } = keys.record(type, '');
  return SK === META && PK.startsWith(prefix) ? PK.slice(prefix.length) : undefined;
}

/** Nothing for an item that is no record with lists. */
export async function listAgain(table: Table, item: Item): Promise<void> {
  for (const [type, index] of Object.entries(listsOfRecords.indexes)) {
    const id = recordIdOf(item, type as RecordType);
    if (id !== undefined) await indexRecord({ table, clock: () => new Date() }, index as never, id);
  }
}

/** Steps over all records of these types. */
export const listAllAgain = (...types: RecordType[]): Migration['step'] =>
  eachPage(async (table, items) => {
    const records = items.filter((item) => types.some((type) => recordIdOf(item, type) !== undefined));
    await mapAtOnce(records, AT_ONCE, (item) => listAgain(table, item));
  });
