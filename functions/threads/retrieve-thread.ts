import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { contacts } from '#shared/composition/contact-book.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { imageChoices } from '#shared/domain/mail/threads/images.ts';
import { retrieveWholeThread } from '#shared/domain/mail/threads/retrieve.ts';
import { threadSchema } from '#shared/domain/mail/threads/schema.ts';

export const retrieveThread = route('retrieveThread', {
  method: 'GET',
  path: '/threads/{id}',
  access: 'read',
  summary: 'Retrieve a thread',
  description:
    'With the messages the key’s user sees, oldest first, and its comments. Does not mark it read. Of very long threads the newest messages are given, and the newest bodies in full: the others are `truncated`.',
  query: {
    images: z.enum(imageChoices).optional().meta({
      description:
        'Images from elsewhere in the HTML of mails. blocked, also when omitted: none loads; the address of each is kept in data-blocked-src, and a client may put it back as src when its user asks for images. direct: as they were sent. Images that came with the mail show either way',
    }),
  },
  returns: { 200: { thread: threadSchema } },
  errors: ['record_not_found', 'storage_unavailable'],
  uses: ['table:read', 'bucket:read'],
  streams: true,
});

export const handler = handle(
  retrieveThread,
  async ({ ctx, params, query }) => ({
    thread: await retrieveWholeThread(ctx, params.id, query.images),
  }),
  { ...visibility, ...replies, ...contacts },
);
