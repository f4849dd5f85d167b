import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { deleteFile as remove } from '#shared/domain/work/files/delete.ts';

export const deleteFile = route('deleteFile', {
  method: 'DELETE',
  path: '/files/{id}',
  access: 'write',
  summary: 'Delete a file',
  description:
    'Its comments, tags, shares and bytes are deleted with it. A file of a mail stays as long as a mail has it.',
  returns: { 204: null },
  errors: ['permission_denied', 'file_is_attachment'],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  deleteFile,
  async ({ ctx, params }) => {
    await remove(ctx, params.id);
  },
  { ...recordLists, ...visibility },
);
