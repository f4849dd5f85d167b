import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { detach } from '#shared/domain/mail/drafts/detach.ts';

export const detachFromDraft = route('detachFromDraft', {
  method: 'DELETE',
  path: '/drafts/{draft_id}/attachments/{id}',
  access: 'write',
  summary: 'Remove an attachment of a draft',
  description: 'Its file stays.',
  returns: { 204: null },
  errors: ['draft_not_editable'],
  uses: ['table:write'],
});

export const handler = handle(detachFromDraft, async ({ ctx, params }) => {
  await detach(ctx, params.draft_id, params.id);
});
