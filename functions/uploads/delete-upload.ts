import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { deleteUpload as remove } from '#shared/domain/collaboration/uploads/delete.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';

export const deleteUpload = route('deleteUpload', {
  method: 'DELETE',
  path: '/uploads/{id}',
  access: 'write',
  summary: 'Delete an upload',
  description: 'An upload of the key’s user that has not been used, with the bytes that were sent.',
  returns: { 204: null },
  errors: ['upload_already_used', 'storage_unavailable'],
  uses: ['table:write', 'bucket:delete-uploads'],
  versioned: true,
});

export const handler = handle(deleteUpload, async ({ ctx, params }) => {
  await remove(ctx, bucketOf(ctx), params.id);
});
