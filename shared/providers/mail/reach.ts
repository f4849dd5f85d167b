import { isIP } from 'node:net';
import { HostRefused, ServerUnreachable } from '#shared/domain/mail/servers/failures.ts';
import { type MailProtocol, mailPorts } from '#shared/domain/mail/servers/ports.ts';
import type { ServerLogin } from '#shared/domain/mail/servers/server.ts';
import { internet, type Outside } from '#shared/providers/outside/public-request.ts';
import { asTheSystemKnows } from '#shared/providers/outside/resolve.ts';

/**
 * Where connections to mail servers go. A host is resolved once, and the connection uses the address that was checked: a
 * name cannot change its meaning in between.
 */

export type Resolving = Pick<Outside, 'resolve' | 'isPublic' | 'ca'> & {
  ports: Record<MailProtocol, readonly number[]>;
  /** In place of ANSWER_TIME, for a mailbox. */
  answer_time?: number;
};

export interface Reach {
  /** Servers may be on a private network, at any port, and without TLS. */
  private_hosts: boolean;
  outside: Resolving;
}

/** Where mail is on the internet, or on a private network, of which name servers may not know. */
const usual = (private_hosts: boolean): Resolving => ({
  ...internet,
  ...(private_hosts ? { resolve: asTheSystemKnows } : {}),
  ports: mailPorts,
});

export const reach = (private_hosts: boolean, outside: Resolving = usual(private_hosts)): Reach => ({
  private_hosts,
  outside,
});

/** Milliseconds, from the first packet to the greeting. */
export const CONNECT_TIME = 10_000;
/** Milliseconds that an answer may take. */
export const ANSWER_TIME = 60_000;

export const answerTime = ({ outside }: Reach): number => outside.answer_time ?? ANSWER_TIME;

/** Certificates are always checked, for the name that the user wrote. */
export const tlsOptions = ({ outside }: Reach) => ({
  minVersion: 'TLSv1.2' as const,
  rejectUnauthorized: true,
  ...(outside.ca ? { ca: outside.ca } : {}),
});

const MISSING = ['ENOTFOUND', 'ENODATA'];

async function resolved({ resolve }: Resolving, host: string): Promise<string[]> {
  try {
    return (await resolve(host)).map(({ address }) => address);
  } catch (error) {
    if (MISSING.includes((error as NodeJS.ErrnoException).code ?? ''))
      throw new HostRefused('There is no such host');
    throw new ServerUnreachable('The host could not be looked up');
  }
}

/** Two are enough, those of IPv4 first: not every network has the other. */
const usable = (found: string[]) => found.toSorted((a, b) => isIP(a) - isIP(b)).slice(0, 2);

/** The addresses to try, one after the other. */
export async function addressesOf(
  { host, port }: Pick<ServerLogin, 'host' | 'port'>,
  protocol: MailProtocol,
  { private_hosts, outside }: Reach,
): Promise<string[]> {
  if (!private_hosts && !outside.ports[protocol].includes(port))
    throw new HostRefused('The port is not one of mail');
  const found = isIP(host) === 0 ? await resolved(outside, host) : [host];
  const reachable = found.length > 0 && (private_hosts || found.every((each) => outside.isPublic(each)));
  if (!reachable) throw new HostRefused('The host has an address that is not public');
  return usable(found);
}

/** Opens at the first address that is there. */
export async function atFirst<T>(addresses: string[], open: (address: string) => Promise<T>): Promise<T> {
  const [address, ...others] = addresses;
  if (address === undefined) throw new ServerUnreachable('The host has no address');
  try {
    return await open(address);
  } catch (error) {
    if (!(error instanceof ServerUnreachable) || others.length === 0) throw error;
    return atFirst(others, open);
  }
}
