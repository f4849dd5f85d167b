import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { deleteDraft as remove } from '#shared/domain/mail/drafts/delete.ts';

export const deleteDraft = route('deleteDraft', {
  method: 'DELETE',
  path: '/drafts/{id}',
  access: 'write',
  summary: 'Delete a draft',
  description: 'A queued one is not sent. Its files stay.',
  returns: { 204: null },
  errors: ['draft_not_editable'],
  uses: ['table:write'],
  versioned: true,
});

export const handler = handle(deleteDraft, async ({ ctx, params }) => {
  await remove(ctx, params.id);
});
