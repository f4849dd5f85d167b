import { requireOwnPage } from '#shared/domain/identity/sessions/policy.ts';
import { ApiError } from '#shared/errors.ts';
import { prefixOf } from './base-url.ts';
import type { ApiEvent } from './call.ts';
import { cookieValues, isOwnPage, setCookie } from './cookies.ts';

/** The cookie with the refresh token of a browser (docs/specification/sign-in.md, "The refresh cookie"). */
const NAME = 'refresh_token';

/** The header that gives a browser the token, for so many seconds. The path keeps it out of all other requests. */
export const withRefreshCookie = (event: ApiEvent, value: string, maxAge: number) =>
  setCookie(event, { name: NAME, value, path: `${prefixOf(event)}/access_tokens`, maxAge });

/** The header that takes it away. */
export const withoutRefreshCookie = (event: ApiEvent) => withRefreshCookie(event, '', 0);

/**
 * The token in the cookie; undefined without one. 403 when it came with a request of a page elsewhere. Of two cookies
 * with the name neither is read.
 */
export function readRefreshCookie(event: ApiEvent): string | undefined {
  const [token, ...others] = cookieValues(event, NAME);
  if (token === undefined || token === '') return undefined;
  requireOwnPage(isOwnPage(event));
  if (others.length > 0) throw new ApiError('invalid_refresh_token');
  return token;
}
