import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { askingNameServers, type Resolve } from './resolve.ts';

/**
 * Requests to addresses that users write. Only https on the usual port, only hosts with names, and only addresses that are
 * public: the connection uses those that were checked, so a name cannot change its meaning in between. Redirects are not
 * followed, and nothing is read of the response but its head.
 */

export class NotPublic extends Error {
  override name = 'NotPublic';
}

export interface Head {
  status: number;
}

interface Sent {
  headers: Record<string, string>;
  body: Uint8Array;
  signal: AbortSignal;
}

export type PublicRequest = (url: string, sent: Sent) => Promise<Head>;

export interface Outside {
  resolve: Resolve;
  isPublic: (address: string) => boolean;
  port: number;
  /** Certificate authorities in place of the usual ones. */
  ca?: string;
}

export const internet: Outside = {
  resolve: askingNameServers(),
  isPublic: isPublicAddress,
  port: 443,
};

/** A lookup for sockets that fails unless every address of the host is public. */
export function publicLookup({ resolve, isPublic }: Outside): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (found) => {
        const [first] = found;
        if (!first || !found.every(({ address }) => isPublic(address)))
          callback(new NotPublic('The host has an address that is not public'), '', 0);
        else if (all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}

export function requirePublicUrl(text: string, outside: Outside): URL {
  const url = new URL(text);
  const port = Number(url.port || 443);
  // Sockets look up names only.
  const literal = isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0;
  if (url.protocol !== 'https:' || port !== outside.port || literal)
    throw new NotPublic('The address is not one of a public https server');
  return url;
}

/** POSTs. Other `outside`s are for tests, which have no internet. */
export const publicRequest =
  (outside: Outside = internet): PublicRequest =>
  async (address, { headers, body, signal }) => {
    const url = requirePublicUrl(address, outside);
    const { promise, resolve, reject } = Promise.withResolvers<Head>();
    const options = {
      method: 'POST',
      headers,
      signal,
      agent: false as const,
      lookup: publicLookup(outside),
      ...(outside.ca ? { ca: outside.ca } : {}),
    };
    const sending = request(url, options, (response) => {
      resolve({ status: response.statusCode ?? 0 });
      response.destroy();
    });
    sending.on('error', reject);
    sending.end(body);
    return promise;
  };
