import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { denyRequest } from '#shared/domain/collaboration/share-requests/answer.ts';
import { presentOne } from '#shared/domain/collaboration/share-requests/list.ts';
import { shareRequestSchema } from '#shared/domain/collaboration/share-requests/request.ts';

export const denyShareRequest = route('denyShareRequest', {
  method: 'POST',
  path: '/share_requests/{share_request_id}/deny',
  access: 'write',
  summary: 'Deny a request for access',
  description: 'Nobody is notified. Who asks sees the status, and nothing of the record.',
  returns: { 200: { share_request: shareRequestSchema } },
  errors: ['permission_denied', 'share_request_already_answered'],
  uses: ['table:write'],
});

export const handler = handle(
  denyShareRequest,
  async ({ ctx, params }) => ({
    share_request: await presentOne(ctx, await denyRequest(ctx, params.share_request_id)),
  }),
  visibility,
);
