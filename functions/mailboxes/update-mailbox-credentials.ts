import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { calendarServers } from '#shared/composition/calendar-servers.ts';
import { mailServer } from '#shared/composition/mail-server.ts';
import { changeCredentials, mailboxCredentials } from '#shared/domain/calendar/servers/credentials.ts';
import { mailboxSchema, presentMailbox, sharesOfMailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';

export const updateMailboxCredentials = route('updateMailboxCredentials', {
  method: 'PATCH',
  path: '/mailboxes/{id}/credentials',
  access: 'session',
  summary: 'Change how the service signs in to a mailbox',
  description:
    'By its owner alone. `imap` and `smtp` are the mail servers of a connected mailbox, each of which stays when it is not ' +
    'sent; `smtp: null` ends sending. Alone, `caldav` is the server that has its calendars: they are found before the answer; ' +
    'their events follow. `authorization_code` and `state` let the service into a mailbox of `gmail` or `outlook` again, after ' +
    '`POST /mailboxes/authorizations` with its `mailbox_id`. The service signs in before it answers. A mailbox that was locked for this password is unlocked.',
  body: { mailbox: mailboxCredentials },
  examples: {
    body: {
      mailbox: {
        authorization_code: '4/0AdkVLPw6HfQm2TzXc8Rk3',
        state: 'hV3mX9wq2LrK8pWc5Zd1NfYg4JsA6eU0tR7vBQm3xT4',
      },
    },
  },
  returns: { 200: { mailbox: mailboxSchema } },
  errors: ['permission_denied', 'unsupported_provider', 'provider_failed'],
  uses: [
    ...(['table:write', 'codes', 'calendars', 'mailboxes', 'mail_providers'] as const),
    ...(['queue:sync-calendars', 'queue:sync-mailboxes'] as const),
  ],
});

export const handler = handle(
  updateMailboxCredentials,
  async ({ ctx, params, body }) => {
    const mailbox = await changeCredentials(ctx, params.id, body.mailbox);
    return { mailbox: presentMailbox(mailbox, ctx.caller.user, sharesOfMailbox(mailbox)) };
  },
  { ...calendarServers, ...mailServer },
);
