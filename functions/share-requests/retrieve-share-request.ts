import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { presentOne } from '#shared/domain/collaboration/share-requests/list.ts';
import { requireRequest } from '#shared/domain/collaboration/share-requests/policy.ts';
import { shareRequestSchema } from '#shared/domain/collaboration/share-requests/request.ts';

export const retrieveShareRequest = route('retrieveShareRequest', {
  method: 'GET',
  path: '/share_requests/{id}',
  access: 'read',
  summary: 'Retrieve a request for access',
  description: 'Visible to who asks and who is asked. `record` is null for who asks until it is approved.',
  returns: { 200: { share_request: shareRequestSchema } },
  uses: ['table:read'],
});

export const handler = handle(
  retrieveShareRequest,
  async ({ ctx, params }) => ({ share_request: await presentOne(ctx, await requireRequest(ctx, params.id)) }),
  visibility,
);
