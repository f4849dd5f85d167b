import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { createDraft as create } from '#shared/domain/mail/drafts/create.ts';
import { draftDraft, draftSchema } from '#shared/domain/mail/drafts/draft.ts';
import { showDraft } from '#shared/domain/mail/drafts/store.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';

export const createDraft = route('createDraft', {
  method: 'POST',
  path: '/drafts',
  access: 'write',
  summary: 'Create a draft',
  description:
    'An answer gets its recipients and its subject from the message, unless they are sent, and quotes it below what is ' +
    'written and the signature of the mailbox; a forwarded message brings its attachments. A `mailbox_id` is needed ' +
    'unless a message is answered: then it is one through which it came.',
  body: { draft: draftDraft },
  examples: {
    body: {
      draft: {
        in_reply_to_message_id: '0198c0de-0000-7000-8000-000000000030',
        kind: 'reply_all',
        body: 'Thank you, we come at noon.',
      },
    },
  },
  returns: { 201: { draft: draftSchema } },
  errors: ['record_not_found', 'permission_denied', 'file_too_large', 'storage_unavailable'],
  uses: ['table:write', 'bucket:read-bodies', 'bucket:read-mail'],
  versioned: true,
});

export const handler = handle(createDraft, async ({ ctx, body }) => ({
  draft: await showDraft(ctx, await create(ctx, () => bucketOf(ctx), body.draft)),
}));
