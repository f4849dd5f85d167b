import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { withdrawRequest } from '#shared/domain/collaboration/share-requests/answer.ts';

export const deleteShareRequest = route('deleteShareRequest', {
  method: 'DELETE',
  path: '/share_requests/{id}',
  access: 'write',
  summary: 'Withdraw a request for access',
  description: 'By who asks, while it is pending. It stays in the lists, as `withdrawn`.',
  returns: { 204: null },
  versioned: true,
  errors: ['permission_denied', 'share_request_already_answered'],
  uses: ['table:write'],
});

export const handler = handle(deleteShareRequest, async ({ ctx, params }) => {
  await withdrawRequest(ctx, params.id);
});
