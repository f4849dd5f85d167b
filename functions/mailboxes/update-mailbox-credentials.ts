import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { calendarServers } from '#shared/composition/calendar-servers.ts';
import { connectCalendars, credentials } from '#shared/domain/calendar/servers/connect.ts';
import { mailboxSchema, presentMailbox, sharesOfMailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';

export const updateMailboxCredentials = route('updateMailboxCredentials', {
  method: 'PATCH',
  path: '/mailboxes/{id}/credentials',
  access: 'session',
  summary: 'Connect a mailbox with its calendars',
  description:
    'By its owner alone: the CalDAV server that has the calendars of the mailbox, and a password that works there. The ' +
    'calendars are found before the answer; their events follow. A mailbox that was locked is unlocked.',
  body: { mailbox: credentials.meta({ id: 'MailboxCredentials' }) },
  returns: { 200: { mailbox: mailboxSchema } },
  errors: ['permission_denied', 'provider_failed'],
  uses: ['table:write', 'codes', 'calendars', 'queue:sync-calendars'],
});

export const handler = handle(
  updateMailboxCredentials,
  async ({ ctx, params, body }) => {
    const mailbox = await connectCalendars(ctx, params.id, body.mailbox.caldav);
    return { mailbox: presentMailbox(mailbox, ctx.caller.user, sharesOfMailbox(mailbox)) };
  },
  calendarServers,
);
