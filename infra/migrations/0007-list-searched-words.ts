import { listsOfRecords } from '#shared/composition/record-lists.ts';
import { indexRecord } from '#shared/domain/collaboration/record-lists/index-record.ts';
import { writeTerms } from '#shared/domain/mail/threads/lists/write-entry.ts';
import { listInMailboxes } from '#shared/domain/mail/threads/refresh.ts';
import type { Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { eachPage } from './each-page.ts';
import type { Migration } from './migrate.ts';

/** Records and threads were not listed by all words that the search finds (docs/decisions/0081). */

const { SK: META } = keys.record('contacts', '');
const { SK: ENTRY } = keys.threadEntry('', '');

/** The id of a record of this type. */
function idOf({ PK, SK }: Item, type: RecordType): string | undefined {
  const { PK: prefix } = keys.record(type, '');
  return SK === META && PK.startsWith(prefix) ? PK.slice(prefix.length) : undefined;
}

const isEntry = (item: Item): item is ThreadEntry => item.SK.startsWith(ENTRY) && 'participant_names' in item;

async function listAgain(table: Table, item: Item): Promise<void> {
  // Lists of tags stay as they are.
  if (isEntry(item)) return writeTerms(table, item, []);
  if (idOf(item, 'threads') !== undefined) return listInMailboxes(table, item as Thread);
  for (const [type, index] of Object.entries(listsOfRecords.indexes)) {
    const id = idOf(item, type as RecordType);
    if (id !== undefined) await indexRecord({ table, clock: () => new Date() }, index as never, id);
  }
}

export const listSearchedWords: Migration = {
  version: 7,
  summary: 'list records and threads by the words that the search finds',
  readable_from: 6,
  step: eachPage(async (table, items) => {
    for (const item of items) await listAgain(table, item);
  }),
};
