import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { mailServer } from '#shared/composition/mail-server.ts';
import { connectConsented } from '#shared/domain/mail/consent/connect.ts';
import { mailboxSchema, presentMailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { connectMailbox } from '#shared/domain/mail/servers/connect.ts';
import { mailboxIn, newMailbox } from '#shared/domain/mail/servers/written.ts';

const server = { port: 993, tls: true, username: 'ada@acme.example', password: 'xkcd-936-app-password' };

export const createMailbox = route('createMailbox', {
  method: 'POST',
  path: '/mailboxes',
  access: 'session',
  summary: 'Connect a mailbox',
  description:
    'The service signs in to both servers before it answers, and then reads the mail, newest first. A mailbox of the caller ' +
    'that has this address and its mail from archives is connected, and keeps that mail. Without `smtp` nothing is sent. For ' +
    '`gmail` and `outlook`, `authorization_code` and `state` (and `iss`, if it came) are what the provider sent back after ' +
    '`POST /mailboxes/authorizations`; the address is the one that it names.',
  body: { mailbox: newMailbox.meta({ id: 'NewMailbox' }) },
  examples: {
    body: {
      mailbox: {
        ...{ provider: 'imap', email_address: 'ada@acme.example', name: 'Work' },
        imap: { host: 'imap.acme.example', ...server },
        smtp: { host: 'smtp.acme.example', ...server, port: 465 },
      },
    },
  },
  returns: { 201: { mailbox: mailboxSchema } },
  errors: ['unsupported_provider', 'mailbox_already_connected', 'provider_failed'],
  uses: ['table:write', 'mailboxes', 'mail_providers', 'queue:sync-mailboxes'],
  versioned: true,
});

export const handler = handle(
  createMailbox,
  async ({ ctx, body }) => {
    const asked = mailboxIn(body.mailbox);
    const { mailbox, owner } =
      asked.provider === 'imap' ? await connectMailbox(ctx, asked) : await connectConsented(ctx, asked);
    return { mailbox: presentMailbox(mailbox, owner, []) };
  },
  mailServer,
);
