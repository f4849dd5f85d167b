import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { streams } from '#shared/queues/queues.ts';
import { clientOptions } from '#shared/services.ts';
import type { StreamRecord } from '#shared/table/stream.ts';
import { Table } from '#shared/table/table.ts';
import { handler } from '../../functions/queues/publish-changes.ts';
import { streamOf } from '../../infra/local/dynamodb.ts';
import { type LocalSockets, startSockets } from '../../infra/local/sockets.ts';
import { asEvent } from '../../infra/local/streamed-values.ts';
import { passes, StreamReader } from '../../infra/local/table-stream.ts';
import { freshKey } from './table.ts';
import type { TestUser } from './workspace.ts';

/** Live updates of a workspace, batch by batch, without a clock. */

export interface Live {
  env: Record<string, string>;
  server: LocalSockets;
  /** The changes since the last call that the worker of the stream gets. */
  changes(): Promise<StreamRecord[]>;
  /** Tells of these changes, in one batch. Returns how many there were. */
  publish(): Promise<number>;
  stop(): Promise<void>;
}

const { filters } = streams['publish-changes'];

export async function startLive(endpoint: string, table: string): Promise<Live> {
  const server = await startSockets();
  const reader = new StreamReader(endpoint, await streamOf(endpoint, table));
  await reader.search('TRIM_HORIZON');
  const client = new DynamoDBClient(clientOptions(endpoint));
  // What was written before the mark comes before it, however late the stream is.
  const changes = async () => {
    const mark = freshKey();
    await new Table(table, client).put(mark);
    const all: StreamRecord[] = [];
    const isThere = () => all.some(({ dynamodb }) => JSON.stringify(dynamodb?.Keys).includes(mark.PK));
    while (!isThere()) all.push(...(await reader.look()));
    return all.filter((record) => passes(record, filters)).map(asEvent);
  };
  return {
    env: { SOCKETS_ENDPOINT: server.endpoint },
    server,
    changes,
    async publish() {
      const Records = await changes();
      await handler({ Records });
      return Records.length;
    },
    async stop() {
      await server.stop();
      reader.destroy();
      client.destroy();
    },
  };
}

export interface Received {
  type: string;
  at: string;
  // biome-ignore lint/suspicious/noExplicitAny: the data of any type
  data: any;
}

export interface Listener {
  socket: WebSocket;
  received: Received[];
  /** The messages of a type, in their order. */
  of(type: string): Received['data'][];
  /** Resolves when the socket is closed. */
  closed: Promise<CloseEvent>;
  /** Resolves when all that was sent before has arrived. */
  settled(): Promise<void>;
}

/** The address of a socket for a new ticket. */
export async function ticketUrl({ reader }: Pick<TestUser, 'reader'>): Promise<string> {
  const { url, ticket } = (await reader.createSocketTicket()).body.socket_ticket;
  return `${url}?ticket=${ticket}`;
}

/** Rejects when the socket is not let in. */
export async function listenAt(url: string): Promise<Listener> {
  const socket = new WebSocket(url);
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data) as Received;
    if (message.type === 'ping' && waiting.length > 0) waiting.shift()?.();
    else received.push(message);
  });
  const closed = new Promise<CloseEvent>((resolve) =>
    socket.addEventListener('close', resolve, { once: true }),
  );
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error('The socket did not open')), { once: true });
  });
  return {
    socket,
    received,
    closed,
    of: (type) => received.filter((each) => each.type === type).map(({ data }) => data),
    settled: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        socket.send('{"type":"ping"}');
      }),
  };
}

export const listen = async (user: Pick<TestUser, 'reader'>): Promise<Listener> =>
  listenAt(await ticketUrl(user));
