import { indexRecord } from '#shared/domain/collaboration/record-lists/index-record.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { eachPage } from './each-page.ts';
import type { Migration } from './migrate.ts';

/** Amounts of deals were not summed. */

const { PK: RECORDS, SK } = keys.record('deals', '');

export const sumDeals: Migration = {
  version: 6,
  summary: 'sum the amounts of deals',
  // Older code would write deals without summing them.
  readable_from: 6,
  step: eachPage(async (table, items) => {
    for (const item of items as (Item & { id: string })[])
      if (item.PK.startsWith(RECORDS) && item.SK === SK)
        await indexRecord({ table, clock: () => new Date() }, dealIndex as never, item.id);
  }),
};
