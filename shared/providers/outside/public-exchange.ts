import { type ClientRequest, type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { internet, NotPublic, type Outside, publicLookup, requirePublicUrl } from './public-request.ts';

/**
 * Requests to servers that users name, with what they answer: as `publicRequest`, and the answer is cut off at a size.
 * Redirects are answers: who follows one has its address checked again.
 */

export class TooLarge extends Error {
  override name = 'TooLarge';
}

export interface Sent {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Bytes of the answer. */
  max_bytes: number;
  signal: AbortSignal;
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

export type PublicExchange = (url: string, sent: Sent) => Promise<Answer>;

async function textOf(response: IncomingMessage, max_bytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > max_bytes) throw new TooLarge(`The answer has more than ${max_bytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function answerTo(asking: ClientRequest, { body, max_bytes }: Sent): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  asking.on('error', reject);
  asking.on('response', (response) => {
    const { statusCode: status = 0, headers } = response;
    textOf(response, max_bytes)
      .then((text) => resolve({ status, headers, text }), reject)
      .finally(() => response.destroy());
  });
  asking.end(body);
  return promise;
}

/** Hosts with ports in `trusted` may be private, and may speak http: the operator names them. */
export const publicExchange =
  (trusted: readonly string[] = [], outside: Outside = internet): PublicExchange =>
  (address, sent) => {
    const { method, headers, signal } = sent;
    const known = URL.parse(address);
    if (!known) throw new NotPublic('The address is none');
    if (trusted.includes(known.host) && /^https?:$/.test(known.protocol)) {
      const send = known.protocol === 'http:' ? plain : secure;
      return answerTo(send(known, { method, headers, signal, agent: false }), sent);
    }
    const url = requirePublicUrl(address, outside);
    const ca = outside.ca ? { ca: outside.ca } : {};
    const options = { method, headers, signal, agent: false as const, lookup: publicLookup(outside), ...ca };
    return answerTo(secure(url, options), sent);
  };
