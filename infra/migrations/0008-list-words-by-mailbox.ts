import { statePostings, termPostings, wordPostings } from '#shared/domain/mail/threads/lists/postings.ts';
import { listInMailboxes } from '#shared/domain/mail/threads/refresh.ts';
import type { Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { keyOf, keys, nameOfKey } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { eachPage } from './each-page.ts';
import type { Migration } from './migrate.ts';

/** Each user had lists of words for all threads (docs/decisions/0087). */

const { PK: RECORDS, SK: META } = keys.record('threads', '');
const { SK: ENTRY } = keys.threadEntry('', '');

const isThread = (item: Item): item is Thread => item.SK === META && item.PK.startsWith(RECORDS);
const isEntry = (item: Item): item is ThreadEntry => item.SK.startsWith(ENTRY) && 'participant_names' in item;

/** Leaves the user's lists what no mailbox has, and tells in the list of all which threads are of several. */
async function listByUser(table: Table, entry: ThreadEntry): Promise<void> {
  const kept = new Set(termPostings(entry, []).map(nameOfKey));
  const given = wordPostings(entry.user_id, entry).filter((posting) => !kept.has(nameOfKey(posting)));
  const places = statePostings(entry).filter(({ of_several }) => of_several);
  await table.writeMany([
    ...given.map((posting) => ({ delete: keyOf(posting) })),
    ...places.map((put) => ({ put })),
  ]);
}

export const listWordsByMailbox: Migration = {
  version: 8,
  summary: 'list threads by words for mailboxes instead of users',
  // Older code looks for words in the lists of users, and would list new mail there alone.
  readable_from: 8,
  step: eachPage(async (table, items) => {
    for (const item of items) {
      if (isThread(item)) await listInMailboxes(table, item);
      else if (isEntry(item)) await listByUser(table, item);
    }
  }),
};
