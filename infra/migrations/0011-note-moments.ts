import { eachPage } from './each-page.ts';
import { listAgain } from './list-again.ts';
import type { Migration } from './migrate.ts';

/** Lists of all records did not say when these were created and written (docs/decisions/0035). */

export const noteMoments: Migration = {
  version: 11,
  summary: 'note in the lists of records when these were created and written',
  // Older code would list records without noting it.
  readable_from: 11,
  step: eachPage(async (table, items) => {
    for (const item of items) await listAgain(table, item);
  }),
};
