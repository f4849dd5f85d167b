import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { requireAttachment } from '#shared/domain/mail/attachments/policy.ts';
import { presignedUrl, presignedUrlSchema } from '#shared/domain/work/files/presigned-url.ts';

export const createPresignedUrl = route('createPresignedUrl', {
  method: 'POST',
  path: '/attachments/{id}/presigned_urls',
  access: 'read',
  summary: 'Create a download link of an attachment',
  description:
    'A URL that gives the bytes without a key for five minutes, for example as the `src` of an image. It saves ' +
    'everything else under the name of the file. 404 for attachments of messages that the key’s user does not see.',
  returns: { 200: { presigned_url: presignedUrlSchema } },
  errors: ['storage_unavailable'],
  uses: ['table:read', 'bucket:read-files'],
});

export const handler = handle(createPresignedUrl, async ({ ctx, params }) => ({
  presigned_url: await presignedUrl(ctx, await requireAttachment(ctx, params.id)),
}));
