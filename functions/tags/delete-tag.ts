import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { deleteTag as remove } from '#shared/domain/collaboration/tags/delete.ts';
import { uuid } from '#shared/values.ts';

export const deleteTag = route('deleteTag', {
  method: 'DELETE',
  path: '/tags/{id}',
  access: 'write',
  summary: 'Delete a tag',
  description:
    'For account admins. Removes the tag from every record, visibly at once. With `replacement_tag_id` the ' +
    'records get that tag instead. The name is free from then on.',
  body: { replacement_tag_id: uuid.nullish() },
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:clean-up-tag'],
  versioned: true,
});

export const handler = handle(deleteTag, async ({ ctx, params, body }) => {
  await remove(ctx, params.id, body.replacement_tag_id ?? null);
});
