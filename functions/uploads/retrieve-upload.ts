import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { requireUpload } from '#shared/domain/collaboration/uploads/policy.ts';
import { statusOf } from '#shared/domain/collaboration/uploads/status.ts';
import { presentUpload, uploadSchema } from '#shared/domain/collaboration/uploads/upload.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';

export const retrieveUpload = route('retrieveUpload', {
  method: 'GET',
  path: '/uploads/{id}',
  access: 'read',
  summary: 'Retrieve an upload',
  description:
    'An upload of the key’s user. The link for sending its bytes is in the response that created it only.',
  returns: { 200: { upload: uploadSchema } },
  errors: ['storage_unavailable'],
  uses: ['table:read', 'bucket:read-uploads'],
});

export const handler = handle(retrieveUpload, async ({ ctx, params }) => {
  const upload = await requireUpload(ctx, params.id);
  return { upload: presentUpload(upload, null, await statusOf(bucketOf(ctx), upload, ctx.now)) };
});
