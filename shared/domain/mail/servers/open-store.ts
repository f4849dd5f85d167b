import type { Context } from '#shared/context.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { MailStore, ReachesMailServers } from './server.ts';
import { openAt } from './sign-in.ts';

/** A session at the server that stores a mailbox. */
export function openStore(
  ctx: Context<ReachesMailServers>,
  mailbox: Mailbox,
  signal: AbortSignal,
): Promise<MailStore> {
  const server = ctx.ports.mail_server(ctx.config);
  return openAt(ctx, mailbox, 'imap', (login) => server.openStore(login, signal));
}
