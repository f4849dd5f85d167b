import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { presentTag, tagChanges, tagSchema } from '#shared/domain/collaboration/tags/tag.ts';
import { updateTag as update } from '#shared/domain/collaboration/tags/update.ts';

export const updateTag = route('updateTag', {
  method: 'PATCH',
  path: '/tags/{id}',
  access: 'write',
  summary: 'Update a tag',
  description:
    'Fields that are not sent stay. The name of another tag of the account is refused; the case of the tag’s own ' +
    'name may change.',
  body: { tag: tagChanges },
  returns: { 200: { tag: tagSchema } },
  errors: ['tag_name_taken'],
  uses: ['table:write'],
  versioned: true,
});

export const handler = handle(updateTag, async ({ ctx, params, body }) => ({
  tag: presentTag(await update(ctx, params.id, body.tag)),
}));
