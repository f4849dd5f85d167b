import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import {
  mailboxChanges,
  mailboxSchema,
  presentMailbox,
  sharesOfMailbox,
} from '#shared/domain/mail/mailboxes/mailbox.ts';
import { updateMailbox as update } from '#shared/domain/mail/mailboxes/update.ts';

export const updateMailbox = route('updateMailbox', {
  method: 'PATCH',
  path: '/mailboxes/{id}',
  access: 'write',
  summary: 'Update a mailbox',
  description:
    'By its owner alone. Fields that are not sent stay. `calendar_sync` follows the calendars at the server of the mailbox, ' +
    '`label_sync` sets read states and flags at its mail server. `contact_creation` holds for mail that is imported from then ' +
    'on; mail that was imported before makes contacts when it is imported again. An earlier `backfill_from` reads older mail.',
  body: { mailbox: mailboxChanges },
  examples: { body: { mailbox: { name: 'Orders', contact_creation: 'all' } } },
  returns: { 200: { mailbox: mailboxSchema } },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:sync-calendars', 'queue:sync-mailboxes'],
  versioned: true,
});

export const handler = handle(updateMailbox, async ({ ctx, params, body }) => {
  const { mailbox, owner } = await update(ctx, params.id, body.mailbox);
  return { mailbox: presentMailbox(mailbox, owner, sharesOfMailbox(mailbox)) };
});
