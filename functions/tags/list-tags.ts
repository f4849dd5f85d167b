import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { whole, wholeCollection } from '#shared/api/shapes.ts';
import { listTags as findTags } from '#shared/domain/collaboration/tags/counts.ts';
import { presentTagWithCounts, tagSchema } from '#shared/domain/collaboration/tags/tag.ts';

export const listTags = route('listTags', {
  method: 'GET',
  path: '/tags',
  access: 'read',
  summary: 'List the tags of the account',
  description: 'Every tag, returned whole and by name, with the number of its records in the whole account.',
  returns: { 200: { collection: wholeCollection(tagSchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listTags, async ({ ctx }) => {
  const tags = await findTags(ctx.table, ctx.caller.account.id);
  return { collection: whole(tags.map(presentTagWithCounts)) };
});
