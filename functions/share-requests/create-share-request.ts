import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { Existing } from '#shared/api/upsert.ts';
import { hidden } from '#shared/composition/hidden.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { createShareRequest as create } from '#shared/domain/collaboration/share-requests/create.ts';
import {
  presentRequest,
  shareRequestDraft,
  shareRequestSchema,
} from '#shared/domain/collaboration/share-requests/request.ts';

export const createShareRequest = route('createShareRequest', {
  method: 'POST',
  path: '/share_requests',
  access: 'write',
  summary: 'Ask for access to a thread or an event',
  description:
    "Of one that the key's user does not see, in a mailbox whose owner has turned `share_metadata` on: the owners are " +
    'notified. 200 with the request that is pending already.',
  body: { share_request: shareRequestDraft },
  examples: {
    body: {
      share_request: {
        record_type: 'thread',
        record_id: '0198c0de-0000-7000-8000-000000000002',
        message: 'I take over the timetable.',
      },
    },
  },
  returns: { 201: { share_request: shareRequestSchema } },
  finds_existing: true,
  versioned: true,
  errors: ['record_not_found', 'already_shared'],
  uses: ['table:write', 'queue:push-notifications'],
});

export const handler = handle(
  createShareRequest,
  async ({ ctx, body }) => {
    const { request, existing } = await create(ctx, body.share_request);
    const response = { share_request: presentRequest(request) };
    return existing ? new Existing(response) : response;
  },
  { ...visibility, ...hidden },
);
