import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { downloadOf } from '#shared/domain/work/files/link.ts';
import { requireFile } from '#shared/domain/work/files/policy.ts';
import { presignedUrl, presignedUrlSchema } from '#shared/domain/work/files/presigned-url.ts';

export const createFilePresignedUrl = route('createFilePresignedUrl', {
  method: 'POST',
  path: '/files/{file_id}/presigned_urls',
  access: 'read',
  summary: 'Create a download link of a file',
  description:
    'A URL that gives the bytes without a key for five minutes, for example as the `src` of an image. It saves ' +
    'everything else under the name of the file.',
  returns: { 200: { presigned_url: presignedUrlSchema } },
  errors: ['record_not_found', 'storage_unavailable'],
  uses: ['table:read', 'bucket:read-files'],
});

export const handler = handle(
  createFilePresignedUrl,
  async ({ ctx, params }) => ({
    presigned_url: await presignedUrl(ctx, downloadOf(await requireFile(ctx, params.file_id))),
  }),
  visibility,
);
