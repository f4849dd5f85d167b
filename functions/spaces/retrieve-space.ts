import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { interactions } from '#shared/composition/interactions.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { retrieveSpace as retrieve } from '#shared/domain/crm/spaces/retrieve.ts';
import { spaceSchema } from '#shared/domain/crm/spaces/space.ts';

export const retrieveSpace = route('retrieveSpace', {
  method: 'GET',
  path: '/spaces/{id}',
  access: 'read',
  summary: 'Retrieve a space',
  returns: { 200: { space: spaceSchema } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  retrieveSpace,
  async ({ ctx, params }) => ({ space: await retrieve(ctx, params.id) }),
  { ...visibility, ...replies, ...interactions },
);
