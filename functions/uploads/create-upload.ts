import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { createUpload as saveUpload } from '#shared/domain/collaboration/uploads/create.ts';
import {
  presentUpload,
  UPLOAD_SECONDS,
  uploadDraft,
  uploadSchema,
} from '#shared/domain/collaboration/uploads/upload.ts';
import { objectKeys } from '#shared/providers/files/bucket.ts';
import { presignPut } from '#shared/providers/files/presign.ts';

export const createUpload = route('createUpload', {
  method: 'POST',
  path: '/uploads',
  access: 'write',
  summary: 'Create an upload',
  description: 'PUT the bytes to `url` with the given `headers` within 15 minutes, then use the upload once.',
  body: { upload: uploadDraft },
  examples: {
    body: { upload: { file_name: 'archive.mbox', content_type: 'application/mbox', size: 1_048_576 } },
  },
  returns: { 201: { upload: uploadSchema } },
  errors: ['file_too_large'],
  uses: ['table:write', 'bucket:write-uploads'],
  versioned: true,
});

export const handler = handle(createUpload, async ({ ctx, body }) => {
  const upload = await saveUpload(ctx, body.upload);
  const url = await presignPut(ctx, objectKeys.upload(upload.id), upload, UPLOAD_SECONDS);
  return { upload: presentUpload(upload, url, 'pending') };
});
