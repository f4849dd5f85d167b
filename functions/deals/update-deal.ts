import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { dealChanges, dealSchema } from '#shared/domain/crm/deals/deal.ts';
import { presentDeal } from '#shared/domain/crm/deals/store.ts';
import { updateDeal as update } from '#shared/domain/crm/deals/update.ts';

export const updateDeal = route('updateDeal', {
  method: 'PATCH',
  path: '/deals/{id}',
  access: 'write',
  summary: 'Update a deal',
  description:
    'Fields that are not sent stay, `null` clears, and an array replaces the whole array, except people whom the key’s user does not see. `stage_id` moves the deal, with `pipeline_id` to another pipeline; there it comes last unless `position` is sent. The assignee, the owner and users with a share are notified.',
  body: { deal: dealChanges },
  examples: {
    body: { deal: { stage_id: '0198c0de-0000-7000-8000-000000000010', amount: 14_000, lost_reason: null } },
  },
  returns: { 200: { deal: dealSchema } },
  errors: ['permission_denied', 'external_id_taken', 'custom_field_taken'],
  uses: ['table:write', 'queue:index-records', 'queue:push-notifications'],
  versioned: true,
});

export const handler = handle(
  updateDeal,
  async ({ ctx, params, body }) => ({
    deal: await presentDeal(ctx, await update(ctx, params.id, body.deal)),
  }),
  { ...recordLists, ...visibility },
);
