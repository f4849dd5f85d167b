import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { beginReading } from '#shared/domain/calendar/servers/begin.ts';
import { mailboxSchema, presentMailbox, sharesOfMailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';

export const syncMailbox = route('syncMailbox', {
  method: 'POST',
  path: '/mailboxes/{mailbox_id}/sync',
  access: 'write',
  summary: 'Read a mailbox now',
  description:
    'What changed at the servers of its mail and its calendars is read at once, and not when it is due. `full` compares ' +
    'every message and every event. A server that refused the login or asked to wait is read when it is due. ' +
    'By users with `edit` access.',
  body: { full: z.boolean().optional() },
  returns: { 202: { mailbox: mailboxSchema } },
  errors: ['record_not_found', 'permission_denied', 'mailbox_locked'],
  uses: ['table:write', 'queue:sync-calendars', 'queue:sync-mailboxes'],
});

export const handler = handle(syncMailbox, async ({ ctx, params, body }) => {
  const mailbox = await beginReading(ctx, params.mailbox_id, body.full ?? false);
  return { mailbox: presentMailbox(mailbox, ctx.caller.user, sharesOfMailbox(mailbox)) };
});
