import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { listRequests } from '#shared/domain/collaboration/share-requests/list.ts';
import { shareRequestSchema } from '#shared/domain/collaboration/share-requests/request.ts';

export const listShareRequests = route('listShareRequests', {
  method: 'GET',
  path: '/share_requests',
  access: 'read',
  summary: 'List requests for access',
  description:
    "Those that the key's user received or sent: pending ones first, then the newest; 100 at most.",
  query: {
    direction: z
      .enum(['received', 'sent'])
      .default('received')
      .meta({ description: 'Whether others ask the user, or the user asked' }),
    status: z
      .enum(['pending', 'all'])
      .default('pending')
      .meta({ description: 'Whether to leave out those that were answered or withdrawn' }),
  },
  returns: { 200: { share_requests: z.array(shareRequestSchema) } },
  uses: ['table:read'],
});

export const handler = handle(
  listShareRequests,
  async ({ ctx, query }) => ({ share_requests: await listRequests(ctx, query) }),
  visibility,
);
