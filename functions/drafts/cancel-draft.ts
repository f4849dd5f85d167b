import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { cancelSending } from '#shared/domain/mail/drafts/cancel.ts';

export const cancelDraft = route('cancelDraft', {
  method: 'DELETE',
  path: '/drafts/{draft_id}/send',
  access: 'write',
  summary: 'Take a draft back',
  description: 'A queued draft is not sent, and can be changed again.',
  returns: { 204: null },
  errors: ['draft_not_cancellable'],
  uses: ['table:write'],
});

export const handler = handle(cancelDraft, async ({ ctx, params }) => {
  await cancelSending(ctx, params.draft_id);
});
