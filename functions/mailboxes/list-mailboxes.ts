import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { whole, wholeCollection } from '#shared/api/shapes.ts';
import { mailboxSchema, presentMailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { listMailboxes as findMailboxes } from '#shared/domain/mail/mailboxes/store.ts';

export const listMailboxes = route('listMailboxes', {
  method: 'GET',
  path: '/mailboxes',
  access: 'read',
  summary: 'List mailboxes',
  description: "The mailboxes that the key's user owns or has access to, returned whole, oldest first.",
  returns: { 200: { collection: wholeCollection(mailboxSchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listMailboxes, async ({ ctx }) => {
  const mailboxes = await findMailboxes(ctx);
  return { collection: whole(mailboxes.map((mailbox) => presentMailbox(mailbox, ctx.caller.user, null))) };
});
