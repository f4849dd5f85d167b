import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { lists } from '#shared/composition/lists.ts';
import { sharingKept } from '#shared/composition/sharing-kept.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { approveRequest } from '#shared/domain/collaboration/share-requests/answer.ts';
import { presentOne } from '#shared/domain/collaboration/share-requests/list.ts';
import { shareRequestSchema } from '#shared/domain/collaboration/share-requests/request.ts';

export const approveShareRequest = route('approveShareRequest', {
  method: 'POST',
  path: '/share_requests/{share_request_id}/approve',
  access: 'write',
  summary: 'Approve a request for access',
  description:
    'Shares the thread or event with who asks, who is notified: of a thread the messages in those mailboxes that the ' +
    "key's user owns or may edit. One answer counts, whoever of those asked gives it.",
  body: {
    access: z
      .enum(['view', 'edit'])
      .default('view')
      .meta({ description: 'Whether they may only see the record or also change it' }),
  },
  examples: { body: { access: 'view' } },
  returns: { 200: { share_request: shareRequestSchema } },
  errors: ['permission_denied', 'share_request_already_answered'],
  uses: ['table:write', 'queue:index-threads', 'queue:index-records', 'queue:push-notifications'],
});

export const handler = handle(
  approveShareRequest,
  async ({ ctx, params, body }) => {
    const request = await approveRequest(ctx, params.share_request_id, body.access);
    return { share_request: await presentOne(ctx, request) };
  },
  { ...sharingKept, ...lists, ...visibility },
);
