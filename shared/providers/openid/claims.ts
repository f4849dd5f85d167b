import type { IDToken } from 'openid-client';
import type { MailProvider } from '#shared/mail-providers.ts';
import type { OpenIdProvider } from '#shared/openid-clients.ts';

const isTrue = (claim: unknown) => claim === true || claim === 'true' || claim === 1 || claim === '1';

/**
 * The address that the provider says it has verified, in lower case. Microsoft's tokens have any address that an admin of
 * any tenant wrote: `xms_edov`, an optional claim of the app, says whether its domain is that tenant's
 * (https://learn.microsoft.com/en-us/entra/identity-platform/migrate-off-email-claim-authorization).
 */
export function verifiedAddress(
  provider: OpenIdProvider,
  { email, email_verified, xms_edov }: IDToken,
): string | undefined {
  const verified = provider === 'microsoft' ? xms_edov : (email_verified ?? xms_edov);
  return typeof email === 'string' && email !== '' && isTrue(verified) ? email.toLowerCase() : undefined;
}

const isAddress = (claim: unknown): claim is string =>
  typeof claim === 'string' && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(claim);

/**
 * The mailbox of somebody, and how its servers know it. At Microsoft that is the name to sign in with, which a mail server
 * takes with a token of this mailbox alone: it proves itself where an address needs `xms_edov`.
 */
export function mailboxOf(
  provider: MailProvider,
  claims: IDToken,
): { email_address: string; username: string } | undefined {
  const verified = verifiedAddress(provider === 'gmail' ? 'google' : 'microsoft', claims);
  const username = provider === 'gmail' ? verified : claims.preferred_username;
  if (!isAddress(username)) return undefined;
  const address = isAddress(verified) ? verified : username;
  return { email_address: address.toLowerCase(), username };
}
