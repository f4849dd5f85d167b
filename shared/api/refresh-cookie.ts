import { parseCookie, stringifySetCookie } from 'cookie';
import { requireOwnPage } from '#shared/domain/identity/sessions/policy.ts';
import { ApiError } from '#shared/errors.ts';
import { isPlainHttp, originOf, prefixOf } from './base-url.ts';
import { type ApiEvent, headerValues } from './call.ts';

/** The cookie with the refresh token of a browser (docs/specification/sign-in.md, "The refresh cookie"). */
const NAME = 'refresh_token';

/**
 * `Strict`: pages of the service call it by script, never by a link from elsewhere. `Secure` except over plain http,
 * which is the local run: Safari stores no secure cookie of localhost. The path keeps it out of all other requests.
 */
function cookieOf(event: ApiEvent, value: string, maxAge: number): Record<string, string> {
  const cookie = stringifySetCookie({
    name: NAME,
    value,
    path: `${prefixOf(event)}/access_tokens`,
    maxAge,
    httpOnly: true,
    secure: !isPlainHttp(event),
    sameSite: 'strict',
  });
  return { 'Set-Cookie': cookie };
}

/** The header that gives a browser the token, for so many seconds. */
export const withRefreshCookie = cookieOf;

/** The header that takes it away. */
export const withoutRefreshCookie = (event: ApiEvent) => cookieOf(event, '', 0);

/**
 * A browser says in `Sec-Fetch-Site` where a request comes from, and no page can change that
 * (https://www.w3.org/TR/fetch-metadata/); older ones say it in `Origin`.
 */
function isOwnPage(event: ApiEvent): boolean {
  const sites = headerValues(event, 'sec-fetch-site');
  if (sites.length > 0) return sites.every((site) => site === 'same-origin');
  const origins = headerValues(event, 'origin');
  return origins.length === 1 && origins[0] === originOf(event);
}

/**
 * The token in the cookie; undefined without one. 403 when it came with a request of a page elsewhere. Of two cookies
 * with the name, another page of the domain has set one, so neither is read.
 */
export function readRefreshCookie(event: ApiEvent): string | undefined {
  const sent = headerValues(event, 'cookie').flatMap((header) => header.split(';'));
  const tokens = sent.flatMap((each) => parseCookie(each)[NAME] ?? []);
  const [token, ...others] = new Set(tokens);
  if (token === undefined || token === '') return undefined;
  requireOwnPage(isOwnPage(event));
  if (others.length > 0) throw new ApiError('invalid_refresh_token');
  return token;
}
