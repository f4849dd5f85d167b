import { writeTerms } from '#shared/domain/mail/threads/lists/write-entry.ts';
import { listInMailboxes } from '#shared/domain/mail/threads/refresh.ts';
import type { Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { eachPage } from './each-page.ts';
import { listAgain, recordIdOf } from './list-again.ts';
import type { Migration } from './migrate.ts';

/** Records and threads were not listed by all words that the search finds (docs/decisions/0081). */

const { SK: ENTRY } = keys.threadEntry('', '');

const isEntry = (item: Item): item is ThreadEntry => item.SK.startsWith(ENTRY) && 'participant_names' in item;

async function listWords(table: Table, item: Item): Promise<void> {
  // Lists of tags stay as they are.
  if (isEntry(item)) return writeTerms(table, item, []);
  if (recordIdOf(item, 'threads') !== undefined) return listInMailboxes(table, item as Thread);
  return listAgain(table, item);
}

export const listSearchedWords: Migration = {
  version: 7,
  summary: 'list records and threads by the words that the search finds',
  readable_from: 6,
  step: eachPage(async (table, items) => {
    for (const item of items) await listWords(table, item);
  }),
};
