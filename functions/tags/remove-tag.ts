import { handle } from '#shared/api/handle.ts';
import { onRecord, route } from '#shared/api/route.ts';
import { lists } from '#shared/composition/lists.ts';
import { taggable } from '#shared/composition/tagging.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { untagRecord } from '#shared/domain/collaboration/tags/remove.ts';

export const removeTag = route('removeTag', {
  method: 'DELETE',
  path: onRecord(taggable, 'taggings/{tag_id}'),
  access: 'write',
  summary: 'Remove a tag from a record',
  description: 'Takes the id of the tag, not of the tagging. The tag stays in the account.',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-threads', 'queue:index-records'],
});

export const handler = handle(
  removeTag,
  async ({ ctx, record, params }) => {
    await untagRecord(ctx, record, params.tag_id);
  },
  { ...visibility, ...lists },
);
