import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { handler as notFound } from '../../functions/gateway/not-found.ts';
import type { ApiEvent, ApiResult } from '../../shared/api/call.ts';
import { type Endpoint, endpointsOf, type Operation } from '../../shared/api/catalogue.ts';
import type { Handler } from '../../shared/api/handle.ts';
import { commonHeaders, errorAnswer, toResult } from '../../shared/api/respond.ts';
import { ApiError } from '../../shared/errors.ts';
import { describeError, getLogger } from '../../shared/log.ts';
import { getServices } from '../../shared/services.ts';
import { callStreaming, type StreamedResult, writeStreamed } from './stream.ts';

/**
 * API Gateway on a laptop: the catalogue's paths, the same Lambda proxy events, the same handlers.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */

/** API Gateway reads no larger body. */
const GATEWAY_BODY_BYTES = 10 * 1024 * 1024;

interface Match {
  resource: string;
  parameters: Record<string, string>;
  endpoints: Map<string, Endpoint>;
}

type Router = (path: string) => Match | undefined;

/** Static segments win over variables, as in API Gateway. */
function router(operations: Operation[]): Router {
  const byResource = Map.groupBy(endpointsOf(operations), (endpoint) => endpoint.resource);
  const resources = [...byResource].map(([resource, endpoints]) => ({
    resource,
    segments: resource.split('/'),
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.method, endpoint])),
  }));
  resources.sort((a, b) => (a.resource.replaceAll('{', '~') < b.resource.replaceAll('{', '~') ? -1 : 1));
  return (path) => {
    const given = path.split('/');
    const found = resources.find(
      ({ segments }) =>
        segments.length === given.length &&
        segments.every((segment, i) => (segment.startsWith('{') ? given[i] !== '' : segment === given[i])),
    );
    if (!found) return undefined;
    const parameters: Record<string, string> = {};
    found.segments.forEach((segment, i) => {
      if (segment.startsWith('{')) parameters[segment.slice(1, -1)] = decode(given[i] as string);
    });
    return { ...found, parameters };
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function headersOf(request: IncomingMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (let i = 0; i < request.rawHeaders.length; i += 2)
    (headers[request.rawHeaders[i] as string] ??= []).push(request.rawHeaders[i + 1] as string);
  return headers;
}

const lastOf = (many: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(many).map(([name, values]) => [name, values.at(-1)]));

function queryOf(search: URLSearchParams): Record<string, string[]> {
  const query: Record<string, string[]> = Object.create(null);
  for (const [name, value] of search) (query[name] ??= []).push(value);
  return query;
}

async function readBody(request: IncomingMessage): Promise<Buffer | 'too large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    // The rest is read and dropped, so that the client gets the answer and no broken connection.
    if (size <= GATEWAY_BODY_BYTES) chunks.push(chunk as Buffer);
    else chunks.length = 0;
  }
  return size > GATEWAY_BODY_BYTES ? 'too large' : Buffer.concat(chunks);
}

/** Text as it is, anything else as base64. */
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

function toEvent(request: IncomingMessage, url: URL, match: Match | undefined, bytes: Buffer): ApiEvent {
  const headers = headersOf(request);
  const query = queryOf(url.searchParams);
  return {
    resource: match?.resource ?? '/{proxy+}',
    path: url.pathname,
    httpMethod: request.method ?? 'GET',
    headers: lastOf(headers),
    multiValueHeaders: headers,
    pathParameters: match?.parameters ?? { proxy: url.pathname.slice(1) },
    queryStringParameters: lastOf(query),
    multiValueQueryStringParameters: query,
    stageVariables: null,
    requestContext: {
      requestId: randomUUID(),
      stage: 'local',
      identity: {
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: request.headers['user-agent'] ?? null,
      },
    },
    ...bodyOf(bytes),
  } as unknown as ApiEvent;
}

const context = { functionName: 'local', getRemainingTimeInMillis: () => 29_000 };

const call = (handler: Handler, event: ApiEvent, context: unknown) => handler(event, context);

async function answer(request: IncomingMessage, route: Router): Promise<ApiResult | StreamedResult> {
  const url = new URL(request.url ?? '/', 'http://local');
  const match = route(url.pathname);
  const bytes = await readBody(request);
  const event = toEvent(request, url, match, bytes === 'too large' ? Buffer.alloc(0) : bytes);
  try {
    const endpoint = match?.endpoints.get(event.httpMethod);
    if (!endpoint) return await notFound(event);
    if (bytes === 'too large') throw new ApiError('payload_too_large');
    const { handler, definition } = endpoint.operation;
    return await (definition.streams ? callStreaming : call)(handler, event, context);
  } catch (error) {
    const known = error instanceof ApiError ? error : new ApiError('error');
    if (known !== error) getLogger().error('gateway failure', { error: describeError(error) });
    return toResult(event, errorAnswer(known), commonHeaders(event, getServices()));
  }
}

function write(response: ServerResponse, request: IncomingMessage, result: ApiResult): void {
  const body = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
  const length =
    result.statusCode === 204 || request.method === 'HEAD' ? {} : { 'Content-Length': body.length };
  response.writeHead(result.statusCode, { ...result.headers, ...length }).end(body);
}

/** What Node's parser refuses before there is a request: a method it does not know, or no HTTP at all. */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return;
  const known = new ApiError(error.code === 'HPE_INVALID_METHOD' ? 'method_not_allowed' : 'invalid_request');
  const { status, body } = errorAnswer(known);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nConnection: close`;
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

export interface LocalGateway {
  url: string;
  server: Server;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1; port 0 takes any free one. Rejects with EADDRINUSE when the port is taken. */
export async function startGateway(operations: Operation[], port: number): Promise<LocalGateway> {
  const route = router(operations);
  const server = createServer((request, response) => {
    answer(request, route).then(
      (result) => ('stream' in result ? writeStreamed(response, result) : write(response, request, result)),
      () => response.destroy(),
    );
  });
  server.on('clientError', refuseUnparsed);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, server, close };
}
