import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireOwnMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { type Connected, storeServers } from '#shared/domain/mail/servers/reconnect.ts';
import type { ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import { invalidField } from '#shared/errors.ts';
import { type MailProvider, mailProviders } from '#shared/mail-providers.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type BroughtConsent, consentOf } from './consent.ts';
import { consentedServers, requireConsentedLogins } from './servers.ts';

/** Lets the service into a mailbox again. */

/** 400 for a mailbox that no provider lets the service into. */
async function requireConsented(
  ctx: CallerContext,
  id: string,
): Promise<Connected & { provider: MailProvider }> {
  const mailbox = await requireOwnMailbox(ctx, id);
  if (!mailbox.mail_server || !mailProviders.some((each) => each === mailbox.provider))
    throw invalidField('authorization_code', 'invalid', 'is for mailboxes of gmail and outlook');
  return mailbox as Connected & { provider: MailProvider };
}

/** As `connectConsented`. The consent is to the same mailbox; one that was locked for it is not any more. */
export async function renewConsent(
  ctx: CallerContext<ReachesMailServers>,
  id: string,
  sent: BroughtConsent,
): Promise<Mailbox> {
  const { provider, email_address } = await requireConsented(ctx, id);
  const { consent, use } = await consentOf(ctx, { provider, ...sent }, id);
  if (consent.email_address !== email_address.toLowerCase())
    throw invalidField('authorization_code', 'invalid', 'is of another mailbox at the provider');
  await requireConsentedLogins(ctx, provider, consent);
  return retryOnConflict(async () => {
    const before = await requireConsented(ctx, id);
    const mail_server = (await consentedServers(ctx, provider, consent))(id);
    return storeServers(ctx, before, { mail_server, stores: true, sends: true, writes: [use] });
  });
}
