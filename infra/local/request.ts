import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import type { ApiEvent } from '#shared/api/call.ts';
import { ApiError } from '#shared/errors.ts';
import { BODY_BYTES } from './limits.ts';

/** A request as API Gateway reads it. */

interface Target {
  path: string;
  query: URLSearchParams;
}

/**
 * The path as sent (RFC 9112, 3.2): not even dot segments are resolved. The absolute form for proxies includes the
 * server.
 */
export function targetOf(url: string): Target {
  const target = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return { path: path || '/', query: new URLSearchParams(mark < 0 ? '' : target.slice(mark)) };
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    // The rest is read and dropped, so that the client gets the response and no broken connection.
    if (size <= BODY_BYTES) chunks.push(chunk as Buffer);
    else chunks.length = 0;
  }
  if (size > BODY_BYTES) throw new ApiError('payload_too_large');
  return Buffer.concat(chunks);
}

type Decode = (bytes: Buffer) => Promise<Buffer>;

const limited = { maxOutputLength: BODY_BYTES };
const asSent: Decode = async (bytes) => bytes;

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-enable-compression.html */
const codings: Record<string, Decode> = {
  '': asSent,
  identity: asSent,
  gzip: (bytes) => promisify(gunzip)(bytes, limited),
  deflate: (bytes) => promisify(inflate)(bytes, limited),
};

/** The body without its Content-Encoding: API Gateway decodes it, and responds 415 when it is invalid. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return bytes;
  const coding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  const decode = Object.hasOwn(codings, coding) ? codings[coding] : undefined;
  if (!decode) throw new ApiError('unsupported_media_type');
  try {
    return await decode(bytes);
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new ApiError(tooLarge ? 'payload_too_large' : 'unsupported_media_type');
  }
}

/** Text unchanged, anything else as base64. */
function bodyOf(bytes: Buffer): Pick<ApiEvent, 'body' | 'isBase64Encoded'> {
  if (bytes.length === 0) return { body: null, isBase64Encoded: false };
  try {
    return {
      body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      isBase64Encoded: false,
    };
  } catch {
    return { body: bytes.toString('base64'), isBase64Encoded: true };
  }
}

type Pairs = Iterable<readonly [string, string]>;

/** API Gateway says how it was called, whatever the client sent. */
function* forwarded(headers: Pairs): Pairs {
  for (const pair of headers) if (pair[0].toLowerCase() !== 'x-forwarded-proto') yield pair;
  yield ['X-Forwarded-Proto', 'http'];
}

/** API Gateway knows its domain; here the client names the server, with its port. */
const isDomain = (host: string | undefined) => host !== undefined && /^[\w.-]+(:\d+)?$/.test(host);

function* headersOf({ rawHeaders }: IncomingMessage): Pairs {
  for (let i = 0; i < rawHeaders.length; i += 2)
    yield [rawHeaders[i] as string, rawHeaders[i + 1] as string] as const;
}

/**
 * All values, and the last one, by name; null without any. Names such as `constructor` and `__proto__` are ordinary.
 */
function namesOf(pairs: Pairs) {
  const byName = Map.groupBy(pairs, ([name]) => name);
  if (byName.size === 0) return { single: null, many: null };
  const many = [...byName].map(([name, found]) => [name, found.map(([, value]) => value)] as const);
  return {
    single: Object.fromEntries(many.map(([name, values]) => [name, values.at(-1)])),
    many: Object.fromEntries(many),
  };
}

export interface Routed {
  resource: string;
  parameters: Record<string, string> | null;
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html */
export function toEvent(
  request: IncomingMessage,
  request_id: string,
  { path, query }: Target,
  { resource, parameters }: Routed,
  bytes: Buffer,
): ApiEvent {
  const headers = namesOf(forwarded(headersOf(request)));
  const sent = namesOf(query);
  return {
    resource,
    path,
    httpMethod: request.method ?? 'GET',
    headers: headers.single,
    multiValueHeaders: headers.many,
    pathParameters: parameters,
    queryStringParameters: sent.single,
    multiValueQueryStringParameters: sent.many,
    stageVariables: null,
    requestContext: {
      requestId: request_id,
      stage: 'local',
      path,
      ...(isDomain(request.headers.host) ? { domainName: request.headers.host } : {}),
      identity: {
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: request.headers['user-agent'] ?? null,
      },
    },
    ...bodyOf(bytes),
  } as unknown as ApiEvent;
}
