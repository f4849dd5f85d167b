import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sockets } from '#shared/composition/live.ts';
import { keys } from '#shared/table/keys.ts';
import { handler as ping } from '../../functions/queues/ping-sockets.ts';
import { givenAccount } from '../support/accounts.ts';
import { type Listener, type Live, listen, ticketUrl } from '../support/live.ts';
import { longIt, mostly, rounds } from '../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Clients that do not read, and very many of them. */

let workspace: Workspace;
let live: Live;

beforeAll(async () => {
  workspace = await startWorkspace({ live: true, files: true });
  live = workspace.live as Live;
});
afterAll(() => workspace.stop());
beforeEach(() => live.changes());

const comment = async ({ api }: TestUser, record_id: string, html_content: string) => {
  const params = { record_type: 'contacts' as const, record_id };
  await api.createComment({ params, body: { comment: { html_content } } });
};

const givenContact = async ({ api }: TestUser) =>
  (await api.createContact({ body: { contact: { name: 'Moira' } } })).body.contact.id;

const storedOf = ({ user: { account_id } }: TestUser) =>
  workspace.table.all<{ connection_id: string; user_id: string }>(keys.socket(account_id, '', '').PK);

/** Of a client that reads no byte after its socket is open. */
async function deaf(user: TestUser): Promise<Socket> {
  const { hostname, port, pathname, search } = new URL(await ticketUrl(user));
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const lines = [
    `GET ${pathname}${search} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const [head] = await once(socket, 'data');
  expect(`${head}`).toMatch(/^HTTP\/1\.1 101 /);
  socket.pause();
  return socket;
}

describe('a client that never reads', () => {
  test('is cut off once a megabyte waits for it, and delays nobody', async () => {
    const [ada, grace] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    const [silent, listener] = [await deaf(ada), await listen(grace)];
    const before = live.server.count();
    const server = sockets.sockets(workspace.ctx.config);
    const ofSilent = (await storedOf(ada)).find((each) => each.user_id === ada.user.id);
    const text = JSON.stringify({ type: 'ping', data: 'x'.repeat(100_000) });
    let sent = 0;
    // The system keeps some megabytes of a connection besides.
    while (live.server.count() === before && sent < 1_000) {
      sent += 1;
      await server.send(ofSilent?.connection_id as string, text);
    }
    expect(live.server.count()).toBe(before - 1);
    const id = await givenContact(ada);
    await comment(ada, id, 'Hello');
    await live.publish();
    await listener.settled();
    expect(listener.of('comment.changed')).toHaveLength(1);
    silent.destroy();
    listener.socket.close();
  });
});

describe('the largest notification', () => {
  test('of a thread with a subject of 200,000 characters arrives', async () => {
    const [ada, grace] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    const listener = await listen(grace);
    const box = await givenMailbox(workspace, ada, ada.user.account_id);
    const subject = '\u{1f600}'.repeat(100_000);
    await importMail(workspace, ada, box, [eml({ id: 'long@x', subject })]);
    const [thread] = await listAllThreads(ada.reader, { mailbox_id: box });
    const params = { record_type: 'threads' as const, record_id: `${thread?.id}` };
    await ada.api.createShare({ params, body: { share: { user_id: grace.user.id } } });
    await live.publish();
    await listener.settled();
    const shown = (await grace.reader.listNotifications()).body.collection.records;
    expect(shown.map(({ event }) => event)).toEqual(['thread_shared']);
    expect(listener.of('notification.created')).toMatchObject([
      { id: shown[0]?.id, payload: { id: thread?.id } },
    ]);
    expect(listener.of('notification.counts')).toEqual([{ unread_counts: { thread_shared: 1 } }]);
    listener.socket.close();
  });
});

describe('very many', () => {
  test('that open and close, again and again, leave nothing behind', async () => {
    const [ada] = (await givenAccount(workspace, 1)) as [TestUser];
    const before = live.server.count();
    for (let left = rounds(25, 1_000); left > 0; left -= 50) {
      const listeners = await Promise.all(Array.from({ length: Math.min(left, 50) }, () => listen(ada)));
      for (const { socket } of listeners) socket.close();
      await Promise.all(listeners.map(({ closed }) => closed));
      await expect
        .poll(async () => [live.server.count(), await storedOf(ada)], { timeout: 20_000 })
        .toEqual([before, []]);
    }
    expect(await storedOf(ada)).toEqual([]);
  });

  longIt.each(mostly([4], [20]))(
    'of %i users, 50 each, hear the same once, and are pinged',
    async (count) => {
      const users = await givenAccount(workspace, count);
      const listeners: Listener[] = [];
      for (const user of users) {
        const some = await Promise.all(Array.from({ length: 50 }, () => listen(user)));
        listeners.push(...some);
      }
      const [ada] = users as [TestUser];
      const id = await givenContact(ada);
      await comment(ada, id, 'Hello');
      await live.publish();
      await ping();
      await Promise.all(listeners.map((listener) => listener.settled()));
      const heard = listeners.map((listener) => [
        listener.of('comment.changed').length,
        listener.of('ping').length,
      ]);
      expect(heard).toEqual(listeners.map(() => [1, 1]));
      for (const { socket } of listeners) socket.close();
      await Promise.all(listeners.map(({ closed }) => closed));
    },
  );
});
