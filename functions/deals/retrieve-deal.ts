import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { dealSchema } from '#shared/domain/crm/deals/deal.ts';
import { retrieveDeal as retrieve } from '#shared/domain/crm/deals/retrieve.ts';

export const retrieveDeal = route('retrieveDeal', {
  method: 'GET',
  path: '/deals/{id}',
  access: 'read',
  summary: 'Retrieve a deal',
  returns: { 200: { deal: dealSchema } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  retrieveDeal,
  async ({ ctx, params }) => ({ deal: await retrieve(ctx, params.id) }),
  { ...visibility, ...replies },
);
