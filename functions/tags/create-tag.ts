import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { createTag as create } from '#shared/domain/collaboration/tags/create.ts';
import { presentTag, tagDraft, tagSchema } from '#shared/domain/collaboration/tags/tag.ts';

export const createTag = route('createTag', {
  method: 'POST',
  path: '/tags',
  access: 'write',
  summary: 'Create a tag',
  description:
    'Creates the tag without applying it. Names are unique in the account: they are compared trimmed ' +
    'and without case.',
  body: { tag: tagDraft },
  returns: { 201: { tag: tagSchema } },
  errors: ['tag_name_taken'],
  uses: ['table:write'],
  versioned: true,
});

export const handler = handle(createTag, async ({ ctx, body }) => ({
  tag: presentTag(await create(ctx, body.tag)),
}));
