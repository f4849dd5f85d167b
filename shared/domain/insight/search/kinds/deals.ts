import { textList, wordList } from '#shared/domain/collaboration/record-lists/entry.ts';
import { touchedAt } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import type { Deal } from '#shared/domain/crm/deals/deal.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { readPlaces } from '#shared/domain/crm/deals/store.ts';
import { externalIds } from '#shared/domain/crm/deals/writes.ts';
import { searchableRecords } from '../records.ts';
import { idIn, titleIn } from '../texts.ts';
import { holderOf } from './external-id.ts';

const order = 'updated_at';

/** Deals in the search over all records. */
export const searchableDeals = searchableRecords<Deal>({
  index: () => dealIndex,
  titles: [{ order, named: [wordList] }],
  texts: [{ order, named: [wordList, textList] }],
  holders: (ctx, query) => holderOf(ctx, externalIds, query),
  hit: (deal) => ({
    label: deal.name,
    moment: Date.parse(touchedAt(deal)),
    texts: [...titleIn('name', deal.name), ...idIn('external_id', deal.external_id)],
  }),
  /** The stage; null for one that ended while it was read. */
  async sublabels(ctx, deals) {
    const places = await readPlaces(ctx);
    return deals.map(({ stage_id }) => places.get(stage_id)?.stage.name ?? null);
  },
});
