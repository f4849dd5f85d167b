import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { draftChanges, draftSchema } from '#shared/domain/mail/drafts/draft.ts';
import { showDraft } from '#shared/domain/mail/drafts/store.ts';
import { updateDraft as update } from '#shared/domain/mail/drafts/update.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';

export const updateDraft = route('updateDraft', {
  method: 'PATCH',
  path: '/drafts/{id}',
  access: 'write',
  summary: 'Update a draft',
  description:
    'Fields that are not sent stay, and `null` clears. A `body` replaces the signature and the quote as well; the form ' +
    'that is not sent follows from the other. Only while the status is `draft` or `failed`.',
  body: { draft: draftChanges },
  examples: { body: { draft: { subject: 'Winter timetable', cc_email_addresses: ['grace@acme.example'] } } },
  returns: { 200: { draft: draftSchema } },
  errors: ['permission_denied', 'draft_not_editable', 'storage_unavailable'],
  uses: ['table:write', 'bucket:read-bodies', 'bucket:read-mail'],
  versioned: true,
});

export const handler = handle(updateDraft, async ({ ctx, params, body }) => ({
  draft: await showDraft(ctx, await update(ctx, () => bucketOf(ctx), params.id, body.draft)),
}));
