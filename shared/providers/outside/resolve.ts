import { lookup, Resolver } from 'node:dns/promises';

/** The addresses of hosts. */

export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

/** Milliseconds before a name server is asked again. Each of the tries waits twice as long as the one before. */
const PATIENCE = 2_000;
const TRIES = 2;
/** Codes of names that are not there, or have no address of the kind. */
const MISSING = ['ENOTFOUND', 'ENODATA'];
/** Never asked of name servers (RFC 6761, section 6.3). */
const LOOPBACK = /(?:^|\.)localhost\.?$/i;

/** As the system knows them, with those that only this network has. */
export const asTheSystemKnows: Resolve = (host) => lookup(host, { all: true });

/**
 * Asks name servers, for any number of hosts at once, and gives up after seconds. `lookup` waits in one of few threads for
 * as long as the system likes: hosts whose name servers never answer hold up all others
 * (https://nodejs.org/api/dns.html#implementation-considerations). Other `servers` are for tests.
 */
export const askingNameServers =
  (servers?: readonly string[]): Resolve =>
  async (host) => {
    if (LOOPBACK.test(host)) return [{ address: '127.0.0.1', family: 4 }];
    const resolver = new Resolver({ timeout: PATIENCE, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const asked = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = asked.flatMap((each, i) =>
      each.status === 'rejected' ? [] : each.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })),
    );
    if (found.length > 0) return found;
    const failures = asked.map((each) => (each as PromiseRejectedResult).reason as NodeJS.ErrnoException);
    throw failures.find(({ code }) => !MISSING.includes(code ?? '')) ?? failures[0];
  };
