import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { mailboxRecord, presentMailbox, sharesOfMailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { findMailbox } from '#shared/domain/mail/mailboxes/store.ts';
import { recordNotFound } from '#shared/errors.ts';

export const retrieveMailbox = route('retrieveMailbox', {
  method: 'GET',
  path: '/mailboxes/{id}',
  access: 'read',
  summary: 'Retrieve a mailbox',
  returns: { 200: { mailbox: mailboxRecord } },
  uses: ['table:read'],
});

export const handler = handle(retrieveMailbox, async ({ ctx, params }) => {
  const mailbox = await findMailbox(ctx, params.id);
  if (!mailbox) throw recordNotFound();
  return { mailbox: presentMailbox(mailbox, ctx.caller.user, sharesOfMailbox(mailbox)) };
});
