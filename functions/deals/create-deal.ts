import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { Updated, upserting } from '#shared/api/upsert.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { createDeal as create } from '#shared/domain/crm/deals/create.ts';
import { dealDraft, dealSchema, type PlacedDeal } from '#shared/domain/crm/deals/deal.ts';
import { presentDeal } from '#shared/domain/crm/deals/store.ts';
import { upsertDeal } from '#shared/domain/crm/deals/upsert.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

export const createDeal = route('createDeal', {
  method: 'POST',
  path: '/deals',
  access: 'write',
  summary: 'Create a deal',
  description:
    'In the first open stage of the default pipeline, unless others are named, and last in its stage. The currency is that of the pipeline unless one is sent. People are sent as `contact_ids`, or as `contacts` with their roles.',
  query: upserting,
  body: { deal: dealDraft },
  examples: {
    body: {
      deal: { name: 'Fleet renewal', amount: 12_500, currency: 'EUR', expected_close_on: '2027-03-31' },
    },
  },
  returns: { 201: { deal: dealSchema } },
  errors: ['record_not_found', 'permission_denied', 'external_id_taken', 'custom_field_taken'],
  uses: ['table:write', 'queue:index-records', 'queue:push-notifications'],
  versioned: true,
});

export const handler = handle(
  createDeal,
  async ({ ctx, query, body }) => {
    if (query.upsert === undefined) return shown(ctx, await create(ctx, body.deal));
    const { before, after: deal, places } = await upsertDeal(ctx, body.deal);
    if (before) return new Updated({ deal: await presentDeal(ctx, { deal, places }) });
    return shown(ctx, { deal, places });
  },
  { ...recordLists, ...visibility },
);

async function shown(ctx: CallerContext, created: PlacedDeal) {
  return { deal: { ...(await presentDeal(ctx, created)), comments: [], tasks: [] } };
}
