import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { requireCarrier } from '#shared/domain/mail/attachments/policy.ts';
import { downloadOf, LINK_SECONDS, linkTo } from '#shared/domain/work/files/link.ts';
import { requireFile } from '#shared/domain/work/files/policy.ts';
import { uuid } from '#shared/values.ts';

export const downloadFile = route('downloadFile', {
  method: 'GET',
  path: '/files/{file_id}/download',
  access: 'read',
  summary: 'Download a file',
  description:
    'Leads to the bytes: `Location` is a link that works for a minute, without a key. The `src` of inline images in ' +
    'the HTML of mails is this path, so a client loads it with its key. 404 unless the key’s user sees the file, or ' +
    'the message of the attachment.',
  query: {
    attachment_id: uuid.optional().meta({ description: 'The attachment by which the file is seen' }),
  },
  returns: {
    302: {
      content_type: 'text/plain',
      description: 'The link to the bytes is in `Location`',
      headers: { 'Cache-Control': 'private, no-store' },
    },
  },
  errors: ['storage_unavailable'],
  uses: ['table:read', 'bucket:read-files'],
});

export const handler = handle(
  downloadFile,
  async ({ ctx, params: { file_id }, query: { attachment_id } }) => {
    const found =
      attachment_id === undefined
        ? downloadOf(await requireFile(ctx, file_id))
        : await requireCarrier(ctx, file_id, attachment_id);
    const location = await linkTo(ctx, found, LINK_SECONDS.redirect);
    return { content_type: 'text/plain', text: '', headers: { Location: location } };
  },
  visibility,
);
