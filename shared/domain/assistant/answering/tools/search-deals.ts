import { findNumbered } from '#shared/domain/collaboration/record-lists/numbered.ts';
import type { DealStatus } from '#shared/domain/crm/deals/deal.ts';
import { findDeals } from '#shared/domain/crm/deals/find.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { aroundDeals, presentDeals } from '#shared/domain/crm/deals/store.ts';
import type { DealRow } from '../views.ts';
import { give, type ToolContext } from './context.ts';
import { dealRow } from './read-deal.ts';

const FOUND = 10;

/** Deals that the user sees, with the words of the query and the status, last written first. */
export async function searchDeals(
  ctx: ToolContext,
  filters: { query?: string | undefined; status?: DealStatus | undefined },
): Promise<{ deals: DealRow[]; total: number }> {
  const known = aroundDeals(ctx);
  const { rows, total } = await findDeals(ctx, filters, known, (criteria) => {
    const query = { index: dealIndex, criteria, sort: 'updated_at', order: 'desc' as const };
    return findNumbered(ctx, query, { page: 1, per_page: FOUND });
  });
  const deals = await presentDeals(ctx, rows, known);
  give(
    ctx,
    'deal',
    deals.map(({ id }) => id),
  );
  return { deals: deals.map(dealRow), total };
}
