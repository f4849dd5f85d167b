import { indexRecord } from '#shared/domain/collaboration/record-lists/index-record.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { eachPage } from './each-page.ts';
import type { Migration } from './migrate.ts';

/** Lists of open deals did not count them by the day on which they should close. */

const { PK: RECORDS, SK } = keys.record('deals', '');

export const countClosingDays: Migration = {
  version: 4,
  summary: 'count open deals by the day on which they should close',
  // Older code would write deals without counting them.
  readable_from: 4,
  step: eachPage(async (table, items) => {
    for (const item of items as (Item & { id: string })[])
      if (item.PK.startsWith(RECORDS) && item.SK === SK)
        await indexRecord({ table, clock: () => new Date() }, dealIndex as never, item.id);
  }),
};
