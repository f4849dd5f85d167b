import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { draftSchema } from '#shared/domain/mail/drafts/draft.ts';
import { sendDraft as send, sending } from '#shared/domain/mail/drafts/send.ts';

export const sendDraft = route('sendDraft', {
  method: 'POST',
  path: '/drafts/{draft_id}/send',
  access: 'write',
  summary: 'Send a draft',
  description:
    'It is sent once, by its mailbox, now or at `send_at`. Until then DELETE takes it back. A failure is told by the ' +
    'notification `draft_failed`, and in `last_error`.',
  body: sending,
  examples: { body: { send_at: 'morning', undo_seconds: 10 } },
  returns: { 202: { draft: draftSchema } },
  errors: [
    'permission_denied',
    'draft_already_queued',
    'outbound_disabled',
    'mailbox_locked',
    'draft_has_no_recipients',
  ],
  uses: ['table:write', 'queue:send-drafts'],
  idempotent: true,
});

export const handler = handle(sendDraft, async ({ ctx, params, body, keep }) => ({
  draft: await send(ctx, params.draft_id, body, (draft) => keep({ draft })),
}));
