import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { contacts } from '#shared/composition/contact-book.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { imagesParameter } from '#shared/domain/mail/threads/images-parameter.ts';
import { retrieveWholeThread } from '#shared/domain/mail/threads/retrieve.ts';
import { threads } from '#shared/domain/mail/threads/schema.ts';
import { bodyChoices } from '#shared/domain/mail/threads/shown-body.ts';

export const retrieveThread = route('retrieveThread', {
  method: 'GET',
  path: '/threads/{id}',
  access: 'read',
  summary: 'Retrieve a thread',
  description:
    'With the messages the key’s user sees, oldest first, and its comments. Does not mark it read. Of very long threads only the newest messages are returned, with the newest bodies in full; the others are `truncated`.',
  query: {
    body: z.enum(bodyChoices).optional().meta({
      description:
        'What the bodies of messages contain. text: no HTML. html: no plain text, except of mails without HTML. none: body is null. Everything when omitted',
    }),
    images: imagesParameter,
  },
  returns: { 200: { thread: threads.response } },
  errors: ['record_not_found', 'storage_unavailable'],
  uses: ['table:read', 'bucket:read-bodies'],
  streams: true,
});

export const handler = handle(
  retrieveThread,
  async ({ ctx, params, query }) => ({
    thread: await retrieveWholeThread(ctx, params.id, query),
  }),
  { ...visibility, ...replies, ...contacts },
);
