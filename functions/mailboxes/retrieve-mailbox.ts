import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { mailboxSchema, presentMailbox, sharesOfMailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireMailbox } from '#shared/domain/mail/mailboxes/policy.ts';

export const retrieveMailbox = route('retrieveMailbox', {
  method: 'GET',
  path: '/mailboxes/{id}',
  access: 'read',
  summary: 'Retrieve a mailbox',
  returns: { 200: { mailbox: mailboxSchema } },
  uses: ['table:read'],
});

export const handler = handle(retrieveMailbox, async ({ ctx, params }) => {
  const mailbox = await requireMailbox(ctx, params.id);
  return { mailbox: presentMailbox(mailbox, ctx.caller.user, sharesOfMailbox(mailbox)) };
});
