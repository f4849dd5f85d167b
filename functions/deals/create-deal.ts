import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { createDeal as create } from '#shared/domain/crm/deals/create.ts';
import { dealDraft, dealSchema } from '#shared/domain/crm/deals/deal.ts';
import { presentDeal } from '#shared/domain/crm/deals/store.ts';

export const createDeal = route('createDeal', {
  method: 'POST',
  path: '/deals',
  access: 'write',
  summary: 'Create a deal',
  description:
    'In the first open stage of the default pipeline, unless others are named, and last in its stage. The currency is that of the pipeline unless one is sent. People are sent as `contact_ids`, or as `contacts` with their roles.',
  body: { deal: dealDraft },
  examples: {
    body: {
      deal: { name: 'Fleet renewal', amount: 12_500, currency: 'EUR', expected_close_on: '2027-03-31' },
    },
  },
  returns: { 201: { deal: dealSchema } },
  errors: ['record_not_found', 'external_id_taken'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  createDeal,
  async ({ ctx, body }) => {
    const deal = await presentDeal(ctx, await create(ctx, body.deal));
    return { deal: { ...deal, comments: [], tasks: [] } };
  },
  { ...recordLists, ...visibility },
);
