import { getDomain } from 'tldts';
import {
  CredentialsRefused,
  NoCalendarServer,
  ResourceChanged,
  type ServerLogin,
  ServerRefused,
} from '#shared/domain/calendar/servers/server.ts';
import { type Answer, type PublicExchange, TooLarge } from '#shared/providers/outside/public-exchange.ts';
import { NotPublic } from '#shared/providers/outside/public-request.ts';
import { TryLater } from '#shared/queues/try-later.ts';

/** Requests of one user to a server of calendars. */

/** Bytes of an answer: the list of 80,000 events, or the text of some. */
const MAX_ANSWER = 24 * 1024 * 1024;
const REDIRECTS = 5;

interface Asked {
  method: string;
  body?: string;
  headers?: Record<string, string>;
  max_bytes?: number;
}

const siteOf = (url: URL) => getDomain(url.hostname) ?? url.hostname;

/** The password is for the site that the user named: no answer may send it elsewhere. */
function requireSameSite({ url }: ServerLogin, asked: URL): void {
  const known = new URL(url);
  const same = known.host === asked.host || (siteOf(known) === siteOf(asked) && asked.protocol === 'https:');
  if (!same) throw new NoCalendarServer('The server names an address of another site');
}

/** What an error status means for who asked. 207, 2xx and 404 are answers. */
function checked({ status, headers }: Answer): void {
  if (status === 401) throw new CredentialsRefused('The server refuses the credentials');
  if (status === 412) throw new ResourceChanged('The resource has changed');
  if (status === 429 || status === 503)
    throw new TryLater(`The server answers ${status}`, Number(headers['retry-after']) || 60);
  if (status >= 500 && status !== 507) throw new Error(`The server answers ${status}`);
}

/** An address that an answer names, as a whole one. */
export const absolute = (href: string, base: string): string => {
  const url = URL.parse(href, base);
  if (!url) throw new ServerRefused('The server names an address that is none');
  url.hash = '';
  return url.href;
};

export class Session {
  readonly #login: ServerLogin;
  readonly #exchange: PublicExchange;
  readonly #signal: AbortSignal;

  constructor(login: ServerLogin, exchange: PublicExchange, signal: AbortSignal) {
    this.#login = login;
    this.#exchange = exchange;
    this.#signal = signal;
  }

  async #send(url: string, { method, body, headers = {}, max_bytes = MAX_ANSWER }: Asked): Promise<Answer> {
    const { username, password } = this.#login;
    const sent = {
      'User-Agent': 'Workspace-API',
      Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/xml; charset=utf-8' }),
      ...headers,
    };
    try {
      return await this.#exchange(url, { method, headers: sent, body, max_bytes, signal: this.#signal });
    } catch (error) {
      if (error instanceof NotPublic) throw new NoCalendarServer(error.message, { cause: error });
      if (error instanceof TooLarge) throw new ServerRefused(error.message, { cause: error });
      throw error;
    }
  }

  /** The answer, with the address that gave it: redirects are followed, each checked as the first address. */
  async ask(address: string, asked: Asked): Promise<Answer & { url: string }> {
    let url = address;
    for (let i = 0; i <= REDIRECTS; i++) {
      const parsed = URL.parse(url);
      if (!parsed) throw new NoCalendarServer('The address is none');
      requireSameSite(this.#login, parsed);
      const answer = await this.#send(url, asked);
      const { location } = answer.headers;
      if (![301, 302, 303, 307, 308].includes(answer.status) || !location) {
        checked(answer);
        return { ...answer, url };
      }
      url = absolute(location, url);
    }
    throw new NoCalendarServer('The server redirects without an end');
  }
}
