import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type LiveMessage, subscribe, waitFor } from '#shared/api/subscribe.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { Live } from '../../support/live.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** `client.subscribe()`: it stays connected, and says when to read again. */

let workspace: Workspace;
let live: Live;
beforeAll(async () => {
  workspace = await startWorkspace({ live: true });
  live = workspace.live as Live;
});
afterAll(() => workspace.stop());

/** Lets a socket in (RFC 6455, 4.2.2). */
function accepted(head: string): string {
  const [, key] = /^Sec-WebSocket-Key: (.*)\r$/im.exec(head) ?? [];
  const accept = hash('sha1', `${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, 'base64');
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  return `${[...lines, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`;
}

/** Resolves with each call, in their order. */
function calls<T>() {
  const made: T[] = [];
  const waiting: (() => void)[] = [];
  return {
    take: (value: T) => {
      made.push(value);
      waiting.shift()?.();
    },
    async next(): Promise<T> {
      if (made.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      return made.shift() as T;
    },
  };
}

describe('subscribe', () => {
  test('tells messages, and to read again with each connection, of which each has a new ticket', async () => {
    const { ada, grace } = workspace;
    const [rereads, messages, waits] = [calls<number>(), calls<LiveMessage>(), calls<number>()];
    const subscription = grace.reader.subscribe({
      onReread: () => rereads.take(1),
      onMessage: messages.take,
      wait: async (milliseconds) => waits.take(milliseconds),
    });
    await rereads.next();
    await live.server.end();
    await rereads.next();
    expect(await waits.next()).toBeLessThanOrEqual(1_000);
    await live.changes();
    const { contact } = (await ada.api.createContact({ body: { contact: { name: 'Moira' } } })).body;
    await ada.api.createShare({
      params: { record_type: 'contacts', record_id: contact.id },
      body: { share: { user_id: grace.user.id, access: 'view' } },
    });
    await live.publish();
    expect(await messages.next()).toMatchObject({
      type: 'notification.created',
      data: { event: 'contact_shared' },
    });
    expect(await messages.next()).toMatchObject({ type: 'notification.counts' });
    subscription.close();
  });

  test('ends when the key ends', async () => {
    const { linus } = workspace;
    const [rereads, ended] = [calls<number>(), calls<unknown>()];
    linus.reader.subscribe({
      onReread: () => rereads.take(1),
      onMessage: () => undefined,
      onEnd: ended.take,
      wait: async () => undefined,
    });
    await rereads.next();
    const { account_id, id } = linus.user;
    await workspace.table.update<User>(keys.user(account_id, id), { set: { status: 'deactivated' } }, 'NONE');
    await live.publish();
    expect(await ended.next()).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  test('tells nothing after it is closed, also when its key has ended since', async () => {
    const [asked, ticket] = [calls<number>(), Promise.withResolvers<never>()];
    const told: string[] = [];
    const getTicket = () => {
      asked.take(1);
      return ticket.promise;
    };
    const subscription = subscribe(getTicket, {
      onReread: () => told.push('reread'),
      onMessage: () => told.push('message'),
      onEnd: () => told.push('end'),
    });
    await asked.next();
    subscription.close();
    ticket.reject({ status: 401 });
    await new Promise(setImmediate);
    expect(told).toEqual([]);
  });

  test('connects again when its server is silent, even to a close', async () => {
    const server = createServer((connection) => {
      connection.on('error', () => undefined);
      connection.once('data', (head) => connection.write(accepted(head.toString())));
    }).listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const rereads = calls<number>();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const subscription = subscribe(async () => ({ url: `ws://127.0.0.1:${port}`, ticket: 'once' }), {
      onReread: () => rereads.take(1),
      onMessage: () => undefined,
      wait: async () => undefined,
    });
    await rereads.next();
    vi.advanceTimersByTime(120_000);
    await rereads.next();
    subscription.close();
    vi.useRealTimers();
    server.close();
  });

  test('waits a random time, up to twice as long after each failure, and 30 seconds at most', () => {
    for (const [failures, most] of [
      [0, 500],
      [1, 1_000],
      [5, 16_000],
      [6, 30_000],
      [1_000, 30_000],
    ] as const) {
      const waited = Array.from({ length: 200 }, () => waitFor(failures));
      expect(Math.max(...waited)).toBeLessThanOrEqual(most);
      expect(Math.max(...waited) - Math.min(...waited)).toBeGreaterThan(most / 3);
    }
  });
});
