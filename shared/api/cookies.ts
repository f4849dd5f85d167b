import { parseCookie, stringifySetCookie } from 'cookie';
import { isPlainHttp, originOf } from './base-url.ts';
import { type ApiEvent, headerValues } from './call.ts';

/** Cookies of pages of the service: no script reads them, and they come with no request of a page elsewhere. */

export interface Cookie {
  name: string;
  value: string;
  path: string;
  /** Seconds; 0 takes it away. */
  maxAge: number;
}

/**
 * `Strict`: pages of the service call it by script, never by a link from elsewhere. `Secure` except over plain http,
 * which is the local run: Safari stores no secure cookie of localhost.
 */
export function setCookie(event: ApiEvent, cookie: Cookie): Record<string, string> {
  const safe = { httpOnly: true, secure: !isPlainHttp(event), sameSite: 'strict' } as const;
  return { 'Set-Cookie': stringifySetCookie({ ...cookie, ...safe }) };
}

/** The different values of the cookies with this name. Two are a page's of another host of the domain. */
export function cookieValues(event: ApiEvent, name: string): string[] {
  const sent = headerValues(event, 'cookie').flatMap((header) => header.split(';'));
  return [...new Set(sent.flatMap((each) => parseCookie(each)[name] ?? []))];
}

/**
 * A browser says in `Sec-Fetch-Site` where a request comes from, and no page can change that
 * (https://www.w3.org/TR/fetch-metadata/); older ones say it in `Origin`.
 */
export function isOwnPage(event: ApiEvent): boolean {
  const sites = headerValues(event, 'sec-fetch-site');
  if (sites.length > 0) return sites.every((site) => site === 'same-origin');
  const origins = headerValues(event, 'origin');
  return origins.length === 1 && origins[0] === originOf(event);
}
