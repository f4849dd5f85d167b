import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { countUpTo } from '#shared/api/shapes.ts';
import { countRecords } from '#shared/domain/collaboration/record-lists/count.ts';
import { dealFilters } from '#shared/domain/crm/deals/filters.ts';
import { findDeals } from '#shared/domain/crm/deals/find.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { aroundDeals } from '#shared/domain/crm/deals/store.ts';
import { countSchema } from '#shared/values.ts';

export const countDeals = route('countDeals', {
  method: 'GET',
  path: '/deals/count',
  access: 'read',
  summary: 'Count deals',
  description:
    'Counts the deals of the list with the same filters. Exact without `cap`; counting stops at the cap.',
  query: { ...dealFilters, ...countUpTo },
  returns: { 200: { count: countSchema } },
  errors: ['record_not_found', 'custom_field_indexing'],
  uses: ['table:read'],
});

export const handler = handle(countDeals, async ({ ctx, query }) => {
  const known = aroundDeals(ctx);
  const count = await findDeals(ctx, query, known, (criteria) =>
    countRecords(ctx, { index: dealIndex, criteria }, query.cap),
  );
  return { count };
});
