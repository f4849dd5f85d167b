import { invalidField } from '#shared/errors.ts';
import type { OpenIdConfig } from '#shared/openid-clients.ts';

/** Where a provider sends the browser back to, with the code. */

/** A page of the service, without parameters: the provider adds its own. */
function isOwnPage(url: URL, origin: string | undefined): boolean {
  const { username, password, search, hash } = url;
  return url.origin === origin && `${username}${password}${search}${hash}` === '';
}

/**
 * 400 for an address that is neither on the service's own `origin` nor one that the operator allows, character by
 * character (RFC 9700, section 4.1.3).
 */
export function requireAllowed(
  redirect_url: string,
  { redirect_urls }: OpenIdConfig,
  origin: string | undefined,
): void {
  if (redirect_urls.includes(redirect_url)) return;
  const url = URL.parse(redirect_url);
  if (url === null || url.href !== redirect_url || !isOwnPage(url, origin))
    throw invalidField('redirect_url', 'invalid', 'is not an address that this service allows');
}
