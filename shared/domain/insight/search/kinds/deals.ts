import { begun } from '#shared/begun.ts';
import { textList, wordList } from '#shared/domain/collaboration/record-lists/entry.ts';
import { touchedAt } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import type { Deal } from '#shared/domain/crm/deals/deal.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { readPlaces } from '#shared/domain/crm/deals/store.ts';
import { externalIds } from '#shared/domain/crm/deals/writes.ts';
import { onceIn } from '../once.ts';
import { searchableRecords } from '../records.ts';
import { idIn, titleIn } from '../texts.ts';
import { holderOf } from './external-id.ts';

const order = 'updated_at';

const placesFor = onceIn((ctx) => begun(readPlaces(ctx)));

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
  around: placesFor,
  /** The stage; null for one that ended or began while it was read. */
  async sublabels(ctx, deals) {
    const places = await placesFor(ctx);
    return deals.map(({ stage_id }) => places.get(stage_id)?.stage.name ?? null);
  },
});
