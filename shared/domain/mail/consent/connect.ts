import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import {
  type Connected,
  requireFree,
  storeConnection,
} from '#shared/domain/mail/servers/store-connection.ts';
import type { ConsentedMailbox } from '#shared/domain/mail/servers/written.ts';
import { consentOf } from './consent.ts';
import { consentedServers, requireConsentedLogins } from './servers.ts';

/**
 * Connects a mailbox by the consent of its owner. Its address is the one that the provider names: whoever has no mailbox
 * there connects none. As `connectMailbox`.
 */
export async function connectConsented(
  ctx: CallerContext<ReachesMailServers>,
  { provider, name, ...brought }: ConsentedMailbox,
): Promise<Connected> {
  const { consent, use } = await consentOf(ctx, { provider, ...brought });
  const { email_address } = consent;
  await requireFree(ctx, email_address);
  await requireConsentedLogins(ctx, provider, consent);
  const serversOf = await consentedServers(ctx, provider, consent);
  return storeConnection(ctx, { provider, email_address, name, serversOf, writes: [use] });
}
