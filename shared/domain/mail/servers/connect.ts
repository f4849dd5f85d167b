import { domainToASCII } from 'node:url';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { sealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import { limitAttempts } from './limit.ts';
import { type PasswordLogin, sealedServer } from './login.ts';
import type { ReachesMailServers, ServerLogin } from './server.ts';
import { type Connected, requireFree, storeConnection } from './store-connection.ts';
import { requireLogins, requirePorts } from './try-logins.ts';
import type { NewMailbox, WrittenServer } from './written.ts';

/** Connects a mailbox with its mail servers, once the service has signed in to both. */

/** Names of hosts as they are looked up. */
export const loginFrom = ({ host, ...login }: WrittenServer): PasswordLogin => ({
  ...login,
  host: domainToASCII(host) || host,
});

export const withSecret = ({ password, ...login }: PasswordLogin): ServerLogin => ({
  ...login,
  secret: { password },
});

/**
 * The mailbox with its owner. 400 for servers that refuse the service, 409 `mailbox_already_connected`, 429 `rate_limited`, 502
 * `provider_failed`.
 */
export async function connectMailbox(
  ctx: CallerContext<ReachesMailServers>,
  { provider, email_address, name, ...sent }: NewMailbox,
): Promise<Connected> {
  requirePorts(ctx.config, sent);
  await requireFree(ctx, email_address);
  await limitAttempts(ctx);
  const [imap, smtp] = [loginFrom(sent.imap), sent.smtp ? loginFrom(sent.smtp) : null];
  await requireLogins(ctx, { imap: withSecret(imap), smtp: smtp && withSecret(smtp) });
  const sealing = await sealingKeys(ctx);
  const serversOf = (id: string) => ({
    imap: sealedServer(sealing, id, 'imap', imap),
    smtp: smtp && sealedServer(sealing, id, 'smtp', smtp),
    oauth: null,
  });
  return storeConnection(ctx, { provider, email_address, name, serversOf });
}
