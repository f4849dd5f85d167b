import { randomText } from '#shared/domain/identity/openid/authorization.ts';
import { isPlainHttp } from './base-url.ts';
import type { ApiEvent } from './call.ts';
import { cookieValues, isOwnPage, setCookie } from './cookies.ts';

/** The cookie that binds an authorization to the browser that began it (RFC 9700, section 4.7). */

/** Seconds, as long as an authorization. */
const LIFETIME = 600;

/** No other host of the domain can set a cookie with this prefix, so nobody can choose its secret (RFC 6265bis). */
const nameFor = (event: ApiEvent) => (isPlainHttp(event) ? 'authorization' : '__Host-authorization');

/** Its secret, for pages of the service: an empty one is nobody's. Undefined for all other clients. */
export function browserOf(event: ApiEvent): string | undefined {
  if (!isOwnPage(event)) return undefined;
  const [secret, ...others] = cookieValues(event, nameFor(event));
  return others.length === 0 ? (secret ?? '') : '';
}

/** The secret of the browser whose page of the service asks, an earlier one in other tabs too, and the header with it. */
export function beginInBrowser(event: ApiEvent): { secret?: string; headers: Record<string, string> } {
  const known = browserOf(event);
  if (known === undefined) return { headers: {} };
  const secret = known || randomText();
  const cookie = { name: nameFor(event), value: secret, path: '/', maxAge: LIFETIME };
  return { secret, headers: setCookie(event, cookie) };
}
