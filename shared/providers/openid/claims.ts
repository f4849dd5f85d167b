import type { IDToken } from 'openid-client';
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
