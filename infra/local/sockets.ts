import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketCall } from '#shared/domain/identity/sockets/socket-call.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { ownPlace, urlOf } from './place.ts';
import { targetOf } from './request.ts';

/** A WebSocket API of API Gateway on a laptop: the same events for the same functions, its limits, and its management API. */

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html */
const FRAME_BYTES = 32 * 1024;
const MESSAGE_BYTES = 128 * 1024;
/** Milliseconds. */
const LIFETIME = 7_200_000;
const IDLE = 600_000;
/** Bytes that wait for a client that does not read. */
const BUFFERED_BYTES = 1024 * 1024;
export const SOCKET_PATH = '/socket';

type SocketHandler = (event: SocketCall) => Promise<{ statusCode: number; body?: string }>;

export interface LocalSockets {
  /** Of the management API, which no client needs to reach. */
  endpoint: string;
  isSocket(request: IncomingMessage): boolean;
  /** Lets a connection in, if the function of `$connect` does. */
  open(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void>;
  /** How many are open. */
  count(): number;
  /** Ends all that are open. */
  end(): Promise<void>;
  stop(): Promise<void>;
}

async function handlerOf(name: string): Promise<SocketHandler> {
  return (await import(`../../functions/sockets/${name}.ts`)).handler;
}

/** A function that fails answers 500, as in the cloud. */
async function call(name: string, event: SocketCall): Promise<{ statusCode: number; body?: string }> {
  try {
    return await (await handlerOf(name))(event);
  } catch (error) {
    getLogger().error('socket function failed', { socket: name, error: describeError(error) });
    return { statusCode: 500 };
  }
}

function refuse(connection: Duplex, status: number): void {
  connection.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

/** An open socket with the limits of API Gateway. */
class OpenSocket {
  readonly socket: WebSocket;
  readonly #timers: readonly NodeJS.Timeout[];

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.#timers = [LIFETIME, IDLE].map((limit) => setTimeout(() => socket.close(1001), limit).unref());
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  touch(): void {
    this.#timers[1]?.refresh();
  }

  /** One that does not read is closed. */
  send(text: string): void {
    this.touch();
    if (this.socket.bufferedAmount > BUFFERED_BYTES) this.socket.terminate();
    else if (this.isOpen) this.socket.send(text);
  }

  forget(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

/** What the socket of a connection does, from when it is open. `ended` takes what is done at its end. */
function serve(open: OpenSocket, connectionId: string, ended: (work: Promise<unknown>) => void): void {
  const requestContext = { connectionId };
  const { socket } = open;
  socket.on('message', async (data) => {
    open.touch();
    const { body } = await call('default', { requestContext, body: data.toString() });
    if (body !== undefined) open.send(body);
  });
  // A frame that breaks the protocol or a limit: the socket closes by itself.
  socket.on('error', () => undefined);
  socket.once('close', () => {
    open.forget();
    ended(call('disconnect', { requestContext }));
  });
}

async function textOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-how-to-call-websocket-api-connections.html */
async function manage(open: Map<string, OpenSocket>, request: IncomingMessage, response: ServerResponse) {
  const id = decodeURIComponent(/^\/@connections\/([^/?]+)$/.exec(request.url ?? '')?.[1] ?? '');
  const data = await textOf(request);
  const found = open.get(id);
  const end = (status: number, type?: string) =>
    response
      .writeHead(status, {
        'Content-Type': 'application/json',
        ...(type ? { 'x-amzn-errortype': type } : {}),
      })
      .end(type ? '{}' : undefined);
  if (!found?.isOpen) return end(410, 'GoneException');
  if (request.method === 'DELETE') {
    found.socket.close(1000);
    return end(204);
  }
  if (data.length > MESSAGE_BYTES) return end(413, 'PayloadTooLargeException');
  found.send(data.toString());
  return end(200);
}

export async function startSockets(): Promise<LocalSockets> {
  const open = new Map<string, OpenSocket>();
  const ending = new Set<Promise<unknown>>();
  const upgrades = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES, perMessageDeflate: false });
  const server = createServer((request, response) => void manage(open, request, response));
  server.listen(ownPlace);
  await once(server, 'listening');
  return {
    endpoint: urlOf(server),
    isSocket: ({ url = '/', headers }) =>
      targetOf(url).path === SOCKET_PATH && headers.upgrade?.toLowerCase() === 'websocket',
    async open(request, connection, head) {
      connection.on('error', () => connection.destroy());
      const connectionId = randomBytes(12).toString('base64');
      const { query } = targetOf(request.url ?? '/');
      const event = { requestContext: { connectionId }, queryStringParameters: Object.fromEntries(query) };
      const { statusCode } = await call('connect', event);
      if (statusCode !== 200) return refuse(connection, statusCode);
      upgrades.handleUpgrade(request, connection, head, (socket) => {
        const made = new OpenSocket(socket);
        open.set(connectionId, made);
        serve(made, connectionId, (work) => {
          open.delete(connectionId);
          ending.add(work);
          void work.finally(() => ending.delete(work));
        });
      });
    },
    count: () => open.size,
    async end() {
      await Promise.all(
        [...open.values()].map(async ({ socket }) => {
          socket.terminate();
          await once(socket, 'close');
        }),
      );
      await Promise.all(ending);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
