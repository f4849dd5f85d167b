import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { mailConsents } from '#shared/composition/mail-consents.ts';
import { revokeConsent } from '#shared/domain/mail/consent/revoke.ts';
import { deleteMailbox as remove } from '#shared/domain/mail/mailboxes/delete.ts';
import { flag } from '#shared/values.ts';

export const deleteMailbox = route('deleteMailbox', {
  method: 'DELETE',
  path: '/mailboxes/{id}',
  access: 'session',
  summary: 'Delete a mailbox',
  description:
    'By its owner and by account admins. Its servers are not called any more, and what signs in there is removed. Mail that ' +
    'is kept stays readable to those who had access; otherwise it leaves the mailbox shortly after, also when it was kept before. ' +
    'A provider is told that the service needs its consent no more.',
  query: {
    keep_threads: flag.default(true).meta({ description: 'Whether its mail stays; true when omitted' }),
  },
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'mail_providers', 'queue:index-threads'],
  versioned: true,
});

export const handler = handle(
  deleteMailbox,
  async ({ ctx, params, query }) => {
    const mailbox = await remove(ctx, params.id, query.keep_threads);
    await revokeConsent(ctx, mailbox);
  },
  mailConsents,
);
