import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { MailLogin } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { LoginFailed, LoginRefused } from '#shared/domain/mail/servers/failures.ts';
import { sealedTokens } from '#shared/domain/mail/servers/login.ts';
import type { MailProtocol } from '#shared/domain/mail/servers/ports.ts';
import type { ReachesMailServers, ServerLogin } from '#shared/domain/mail/servers/server.ts';
import { requireLogins } from '#shared/domain/mail/servers/try-logins.ts';
import { sealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import type { FieldErrors } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import type { MailProvider, MailProviderConfig } from '#shared/mail-providers.ts';
import { expiryOf } from './access.ts';
import type { Consent } from './provider.ts';

/** The servers of a provider: the operator knows them, and nobody names them. */

type Ctx = CallerContext<ReachesMailServers>;

const serversOf = ({ config }: Pick<Ctx, 'config'>, provider: MailProvider): MailProviderConfig =>
  config.mail_providers[provider] as MailProviderConfig;

/** Servers that cannot be reached are nobody's mistake. */
function problemOf(protocol: MailProtocol, error: unknown): FieldErrors | undefined {
  if (!(error instanceof LoginRefused || error instanceof LoginFailed)) return undefined;
  const message = `does not sign in to the ${protocol.toUpperCase()} server of the provider`;
  return { authorization_code: { code: 'invalid', message } };
}

/** As `requireLogins`; what is wrong stands on `authorization_code`. */
export async function requireConsentedLogins(
  ctx: Ctx,
  provider: MailProvider,
  consent: Consent,
): Promise<void> {
  const { imap, smtp } = serversOf(ctx, provider);
  const { username, access_token } = consent;
  const login = (place: typeof imap): ServerLogin => ({ ...place, username, secret: { access_token } });
  await requireLogins(ctx, { imap: login(imap), smtp: login(smtp) }, problemOf);
}

/** What is stored of them, sealed for a mailbox. */
export async function consentedServers(
  ctx: Pick<Ctx, 'config' | 'table' | 'now'>,
  provider: MailProvider,
  { username, access_token, refresh_token, seconds }: Consent,
): Promise<(mailbox_id: string) => MailLogin> {
  const { imap, smtp } = serversOf(ctx, provider);
  const stored = { username, password: null, consent_id: newId(ctx.now) };
  const expires_at = expiryOf({ seconds }, ctx.now);
  const sealing = await sealingKeys(ctx);
  return (mailbox_id) => ({
    imap: { ...imap, ...stored },
    smtp: { ...smtp, ...stored },
    oauth: sealedTokens(sealing, mailbox_id, { access_token, refresh_token, expires_at }),
  });
}
