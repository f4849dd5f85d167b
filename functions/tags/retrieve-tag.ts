import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { retrieveTag as retrieve } from '#shared/domain/collaboration/tags/counts.ts';
import { presentTagWithCounts, tagSchema } from '#shared/domain/collaboration/tags/tag.ts';

export const retrieveTag = route('retrieveTag', {
  method: 'GET',
  path: '/tags/{id}',
  access: 'read',
  summary: 'Retrieve a tag',
  description: 'With the number of its records in the whole account.',
  returns: { 200: { tag: tagSchema } },
  uses: ['table:read'],
});

export const handler = handle(retrieveTag, async ({ ctx, params }) => ({
  tag: presentTagWithCounts(await retrieve(ctx, params.id)),
}));
