import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ApiEvent, ApiResult } from '#shared/api/call.ts';
import { type Endpoint, endpointsOf, type Operation } from '#shared/api/catalogue.ts';
import type { Handler } from '#shared/api/handle.ts';
import { ApiError } from '#shared/errors.ts';
import { getServices } from '#shared/services.ts';
import { handler as notFound } from '../../functions/gateway/not-found.ts';
import { checkHead, checkResponse, INTEGRATION_TIMEOUT, throughLambda, withinTime } from './limits.ts';
import { urlOf } from './place.ts';
import { OpenRequests, refusal, refuseUnparsed } from './refusal.ts';
import { type Routed, readBody, targetOf, toEvent } from './request.ts';
import { requestLine } from './request-line.ts';
import { publishResponse } from './responses.ts';
import type { LocalSockets } from './sockets.ts';
import { callStreaming, type StreamedResult, writeStreamed } from './stream.ts';

/** API Gateway on a laptop: the catalogue's paths, the same Lambda proxy events and limits, the same handlers. */

interface Match extends Routed {
  endpoints: Map<string, Endpoint>;
}

type Router = (path: string) => Match | undefined;

/** Static segments win over variables, and a trailing slash is ignored, as in API Gateway. */
function router(operations: Operation[]): Router {
  const byResource = Map.groupBy(endpointsOf(operations), (endpoint) => endpoint.resource);
  const resources = [...byResource].map(([resource, endpoints]) => ({
    resource,
    segments: resource.split('/'),
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.method, endpoint])),
  }));
  resources.sort((a, b) => (a.resource.replaceAll('{', '~') < b.resource.replaceAll('{', '~') ? -1 : 1));
  return (path) => {
    const given = path.replace(/(?<=.)\/$/, '').split('/');
    const found = resources.find(
      ({ segments }) =>
        segments.length === given.length &&
        segments.every((segment, i) => (segment.startsWith('{') ? given[i] !== '' : segment === given[i])),
    );
    if (!found) return undefined;
    const parameters = found.segments.flatMap((segment, i) =>
      segment.startsWith('{') ? [[segment.slice(1, -1), decode(given[i] as string)] as const] : [],
    );
    return { ...found, parameters: parameters.length > 0 ? Object.fromEntries(parameters) : null };
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Every other path: the greedy path of the definition matches it, except for the root. */
const anyPath = (path: string): Routed =>
  path === '/'
    ? { resource: '/', parameters: null }
    : { resource: '/{proxy+}', parameters: { proxy: path.slice(1) } };

interface Context {
  route: Router;
  /** Milliseconds before a function times out. */
  timeout: number;
  /** Takes a line for each request. */
  log: ((line: string) => void) | undefined;
  /** Whether web pages of any origin may read the gateway's own responses. */
  browsers: boolean;
}

/** Calls a function as Lambda does. */
async function invoke(
  streams: boolean,
  handler: Handler,
  event: ApiEvent,
  timeout: number,
): Promise<ApiResult | StreamedResult> {
  const deadline = Date.now() + timeout;
  const lambda = {
    functionName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  if (streams) return withinTime(callStreaming(handler, event, lambda), timeout);
  // A synchronous error fails like a rejected promise.
  const work = (async () => handler(event, lambda))();
  return checkResponse(await withinTime(work, timeout));
}

async function respond(
  request: IncomingMessage,
  request_id: string,
  context: Context,
): Promise<ApiResult | StreamedResult> {
  checkHead(request);
  const bytes = await readBody(request);
  const target = targetOf(request.url ?? '/');
  const match = context.route(target.path);
  const event = throughLambda(toEvent(request, request_id, target, match ?? anyPath(target.path), bytes));
  const operation = match?.endpoints.get(event.httpMethod)?.operation;
  const handler = operation?.handler ?? notFound;
  const result = await invoke(operation?.definition.streams ?? false, handler, event, context.timeout);
  if (operation) publishResponse(operation.definition, event, result.statusCode);
  return result;
}

function write(response: ServerResponse, request: IncomingMessage, result: ApiResult): void {
  const body = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
  const bodiless = [204, 304].includes(result.statusCode) || request.method === 'HEAD';
  const length = bodiless ? {} : { 'Content-Length': body.length };
  response.writeHead(result.statusCode, { ...result.headers, ...length }).end(body);
}

async function serve(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const request_id = randomUUID();
  const start = performance.now();
  const log = (result: ApiResult | StreamedResult) =>
    context.log?.(requestLine(request, result, performance.now() - start));
  try {
    const result = await respond(request, request_id, context);
    log(result);
    if ('stream' in result) await writeStreamed(response, result);
    else write(response, request, result);
  } catch (error) {
    // The client is gone.
    if (response.destroyed) return;
    const refused = refusal(error, request_id, context.browsers);
    log(refused);
    write(response, request, refused);
  }
}

export interface LocalGateway {
  url: string;
  server: Server;
  /** Functions have so many milliseconds while the work runs. */
  withTimeout<T>(milliseconds: number, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface GatewayOptions {
  /** Milliseconds before a function times out. */
  timeout?: number;
  host?: string;
  /** Takes a line for each request. */
  log?: ((line: string) => void) | undefined;
  /** Takes connections that are to become sockets. */
  sockets?: Pick<LocalSockets, 'isSocket' | 'open' | 'end'>;
}

/** More than is allowed, so that a refused request can still be read. */
const PARSED_HEADER_BYTES = 1024 * 1024;

/** Port 0 takes any free one. Rejects with EADDRINUSE when the port is taken. */
export async function startGateway(
  operations: Operation[],
  port: number,
  { timeout = INTEGRATION_TIMEOUT, host = '127.0.0.1', log, sockets }: GatewayOptions = {},
): Promise<LocalGateway> {
  const browsers = getServices().config.cors_origins.length > 0;
  const context: Context = { route: router(operations), timeout, browsers, log };
  const open = new OpenRequests();
  const settings = {
    maxHeaderSize: PARSED_HEADER_BYTES,
    requireHostHeader: false,
    // Any other upgrade is a request like others.
    shouldUpgradeCallback: (request: IncomingMessage) => sockets?.isSocket(request) ?? false,
  };
  const server = createServer(settings);
  const take = (request: IncomingMessage, response: ServerResponse) => {
    open.add(request.socket, response);
    void serve(request, response, context);
  };
  server.maxHeadersCount = 0;
  // API Gateway supports no expectation except 100-continue, and forwards none.
  server.on('request', take).on('checkExpectation', take);
  if (sockets) server.on('upgrade', (...upgrade) => void sockets.open(...upgrade));
  server.on('clientError', (error, socket) => refuseUnparsed(error, socket, open, browsers));
  server.on('connect', (_request, socket) =>
    refuseUnparsed(new ApiError('method_not_allowed'), socket, open, browsers),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const url = urlOf(server);
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await sockets?.end();
    await closed;
  };
  const withTimeout = async <T>(milliseconds: number, work: () => Promise<T>): Promise<T> => {
    context.timeout = milliseconds;
    try {
      return await work();
    } finally {
      context.timeout = timeout;
    }
  };
  return { url, server, withTimeout, close };
}
