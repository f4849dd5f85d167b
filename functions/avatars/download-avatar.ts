import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { KEPT, linkToAvatar } from '#shared/domain/collaboration/avatars/link.ts';

export const downloadAvatar = route('downloadAvatar', {
  method: 'GET',
  path: '/accounts/{id}/avatars/{avatar_id}',
  access: 'public',
  summary: 'Download the picture of a user',
  description:
    'What `avatar_url` of a user names, for `<img>`: `Location` is a link to the bytes, which works for five minutes. ' +
    'Needs no key; the id cannot be guessed, and ends with the picture.',
  returns: {
    302: {
      content_type: 'text/plain',
      description: 'The link to the bytes is in `Location`',
      headers: { 'Cache-Control': `private, max-age=${KEPT}` },
    },
  },
  errors: ['record_not_found', 'storage_unavailable'],
  uses: ['table:read', 'bucket:read-avatars'],
});

export const handler = handle(downloadAvatar, async ({ ctx, params }) => ({
  content_type: 'text/plain',
  text: '',
  headers: { Location: await linkToAvatar(ctx, params.id, params.avatar_id) },
}));
