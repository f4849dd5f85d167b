import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { numberedCollection, numberedPage } from '#shared/api/numbered-page.ts';
import { route } from '#shared/api/route.ts';
import { pageNumbers } from '#shared/api/shapes.ts';
import { fieldSort } from '#shared/domain/collaboration/record-lists/filters.ts';
import { type Deal, dealSchema } from '#shared/domain/crm/deals/deal.ts';
import { dealFilters, dealSorts } from '#shared/domain/crm/deals/filters.ts';
import { findDeals } from '#shared/domain/crm/deals/find.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { aroundDeals, presentDeals } from '#shared/domain/crm/deals/store.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';

export const listDeals = route('listDeals', {
  method: 'GET',
  path: '/deals',
  access: 'read',
  summary: 'List deals',
  description:
    'The deals that the key’s user sees. Deals without a value of the order come last. Amounts are sorted as numbers, whatever their currencies.',
  query: {
    ...dealFilters,
    sort: fieldSort(dealSorts),
    order: z.enum(['asc', 'desc']).default('desc'),
    ...pageNumbers,
  },
  returns: { 200: { collection: numberedCollection(dealSchema) } },
  errors: ['record_not_found', 'custom_field_indexing'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listDeals, ({ ctx, query }) =>
  retryOnConflict(async () => {
    const known = aroundDeals(ctx);
    const present = (deals: Deal[]) => presentDeals(ctx, deals, known);
    const collection = await findDeals(ctx, query, known, (criteria, granted) =>
      numberedPage(ctx, { index: dealIndex, query, criteria, granted, present }),
    );
    return { collection };
  }),
);
