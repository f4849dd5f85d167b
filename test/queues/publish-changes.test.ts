import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { live as kinds } from '#shared/composition/live.ts';
import { opening } from '#shared/domain/identity/sockets/socket.ts';
import { newsOf } from '#shared/domain/insight/live/news-of.ts';
import { keys } from '#shared/table/keys.ts';
import { handler as ping } from '../../functions/queues/ping-sockets.ts';
import { handler } from '../../functions/queues/publish-changes.ts';
import { givenAccount } from '../support/accounts.ts';
import { givenComment, givenReaction, givenReply } from '../support/comments.ts';
import { answer, ask, givenConversation } from '../support/conversations.ts';
import { createDraft, outbound } from '../support/drafts.ts';
import { type Listener, type Live, listen, listenAt, ticketUrl } from '../support/live.ts';
import { longIt } from '../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../support/mail.ts';
import { giveMailbox } from '../support/mailbox-access.ts';
import { measureTable } from '../support/meter.ts';
import { givenColleagues } from '../support/notifications.ts';
import { givenUpdate, reject } from '../support/proposals.ts';
import { givenTwoViews } from '../support/two-views.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** What sockets are told of changes, and when they close. Sockets of a real server; batches of a real stream. */

let workspace: Workspace;
let live: Live;
let users: [TestUser, TestUser, TestUser];
const open: Listener[] = [];

beforeAll(async () => {
  workspace = await startWorkspace({ live: true, files: true });
  live = workspace.live as Live;
});
afterAll(() => workspace.stop());
beforeEach(async () => {
  for (const { socket } of open.splice(0)) socket.close();
  workspace.ctx.stand_ins = {};
  users = (await givenAccount(workspace, 3)) as typeof users;
  await live.changes();
});

async function listening(user: Pick<TestUser, 'reader'>): Promise<Listener> {
  const listener = await listen(user);
  open.push(listener);
  return listener;
}

/** Tells of all changes, and waits until all has arrived. */
async function told(...listeners: Listener[]): Promise<void> {
  await live.publish();
  await Promise.all(listeners.map((listener) => listener.settled()));
}

/** A thread in a mailbox of the user. */
async function givenThread(user: TestUser, mailbox?: string): Promise<{ id: string; mailbox: string }> {
  const box = mailbox ?? (await givenMailbox(workspace, user, user.user.account_id));
  await importMail(workspace, user, box, [
    eml({ id: `${crypto.randomUUID()}@x`, subject: 'Berths', to: user.user.email_address }),
  ]);
  const [thread] = await listAllThreads(user.reader, { mailbox_id: box });
  return { id: (thread as { id: string }).id, mailbox: box };
}

describe('thread.changed', () => {
  test('tells the fields that changed, once for a batch', async () => {
    const [ada] = users;
    const { id } = await givenThread(ada);
    await live.changes();
    const listener = await listening(ada);
    await ada.api.flagThread({ params: { thread_id: id } });
    await ada.api.unflagThread({ params: { thread_id: id } });
    await ada.api.flagThread({ params: { thread_id: id } });
    await ada.api.resolveThread({ params: { thread_id: id } });
    await told(listener);
    expect(listener.received).toEqual([
      { type: 'thread.changed', at: expect.any(String), data: { id, changed: ['flagged', 'resolved'] } },
    ]);
  });

  test('tells of a new thread with the fields that it has, and of nothing to others', async () => {
    const [ada, grace] = users;
    const [mine, other] = [await listening(ada), await listening(grace)];
    const { id } = await givenThread(ada);
    await told(mine, other);
    expect(mine.of('thread.changed')).toEqual([
      { id, changed: expect.arrayContaining(['subject', 'snippet', 'read', 'messages']) },
    ]);
    expect(other.received).toEqual([]);
  });

  longIt('a hidden part of a thread is told to nobody who does not see it', async () => {
    const { ada, grace } = workspace;
    const views = await givenTwoViews(workspace, ada, grace);
    await live.changes();
    const [mine, other] = [await listening(ada), await listening(grace)];
    await importMail(workspace, grace, views.second.mailbox, [
      eml({
        id: `${crypto.randomUUID()}@x`,
        subject: 'Secret',
        to: grace.user.email_address,
        in_reply_to: views.reply,
        date: 'Wed, 04 Nov 2026 10:00:00 +0000',
      }),
    ]);
    await grace.api.flagThread({ params: { thread_id: views.id } });
    await told(mine, other);
    expect(other.of('thread.changed')).toEqual([
      { id: views.id, changed: expect.arrayContaining(['flagged', 'last_message', 'messages']) },
    ]);
    expect(mine.received).toEqual([]);
  });

  test('a tag reaches all who see the thread', async () => {
    const [ada, grace, linus] = users;
    const { id, mailbox } = await givenThread(ada);
    await giveMailbox(workspace, grace, mailbox);
    await live.changes();
    const all = [await listening(ada), await listening(grace), await listening(linus)] as const;
    const params = { record_type: 'threads' as const, record_id: id };
    await ada.api.applyTag({ params, body: { tag: { name: 'Renewal', color: '#2F6FED' } } });
    await told(...all);
    for (const listener of all.slice(0, 2))
      expect(listener.of('thread.changed')).toEqual([{ id, changed: ['tags'] }]);
    expect(all[2].received).toEqual([]);
  });
});

describe('comment.changed', () => {
  test('is for who sees the record: comments, edits, reactions and deletions', async () => {
    const [ada, grace, linus] = users;
    const { id, mailbox } = await givenThread(ada);
    await giveMailbox(workspace, grace, mailbox);
    await live.changes();
    const [seeing, hidden] = [await listening(grace), await listening(linus)];
    const about = { record_type: 'thread', record_id: id };
    const comment = await givenComment(ada, { id });
    await told(seeing, hidden);
    expect(seeing.of('comment.changed')).toEqual([
      {
        id: comment.id,
        ...about,
        changed: expect.arrayContaining(['html_content', 'plain_text', 'user_id']),
      },
    ]);
    const reaction = await givenReaction(ada, comment);
    await told(seeing, hidden);
    await ada.api.updateComment({
      params: { id: comment.id },
      body: { comment: { html_content: `<p>${'long '.repeat(30_000)}</p>` } },
    } as never);
    await told(seeing, hidden);
    await ada.api.deleteComment({ params: { id: comment.id } } as never);
    await told(seeing, hidden);
    const changes = seeing.of('comment.changed').slice(1);
    expect(changes[0]).toEqual({ id: comment.id, ...about, changed: ['reactions'] });
    expect(changes[1].changed).toEqual(expect.arrayContaining(['html_content', 'plain_text', 'updated_at']));
    expect(changes.at(-1)).toMatchObject({ id: comment.id, ...about });
    expect(reaction.id).toBeDefined();
    expect(hidden.received).toEqual([]);
    expect(JSON.stringify(seeing.of('comment.changed'))).not.toContain('long');
  });

  test('tells when a reply of the assistant is there', async () => {
    const [ada] = users;
    const { id } = await givenThread(ada);
    await live.changes();
    const listener = await listening(ada);
    const reply = await givenReply(workspace, ada, { id } as never);
    await told(listener);
    expect(listener.of('comment.changed')).toEqual([
      expect.objectContaining({
        id: reply.id,
        changed: expect.arrayContaining(['text', 'status', 'blocks']),
      }),
    ]);
  });
});

describe('what is one user’s alone', () => {
  test('drafts, messages of conversations and proposals reach their user, on five devices', async () => {
    const [ada, grace] = users;
    const { mailbox } = await givenThread(ada);
    await outbound(workspace.table, ada.user.account_id, mailbox);
    await live.changes();
    const devices = await Promise.all(Array.from({ length: 5 }, () => listening(ada)));
    const other = await listening(grace);
    const draft = await createDraft(ada, { mailbox_id: mailbox, subject: 'Winter berths' });
    const conversation = await givenConversation(ada);
    const { reply } = (await ask(ada, conversation)).body;
    const { proposal } = await givenUpdate(workspace, ada);
    await told(...devices, other);
    await answer(
      workspace,
      reply as never,
      { status: 'complete', text: 'Soon.', blocks: [], refs: [] } as never,
    );
    await reject(ada, proposal.id);
    await told(...devices, other);
    for (const device of devices) {
      expect(device.of('draft.changed')).toEqual([
        { id: draft.id, changed: expect.arrayContaining(['subject', 'status']) },
      ]);
      const messages = device.of('conversation_message.changed');
      expect(messages).toHaveLength(3);
      expect(messages[2]).toEqual({
        id: reply.id,
        conversation_id: conversation,
        changed: ['blocks', 'refs', 'status', 'text'],
      });
      expect(device.of('proposal.changed')).toMatchObject([
        { id: proposal.id },
        { id: proposal.id, changed: expect.arrayContaining(['status', 'actions']) },
      ]);
    }
    expect(other.of('draft.changed')).toEqual([]);
    expect(other.of('conversation_message.changed')).toEqual([]);
    expect(other.of('proposal.changed')).toEqual([]);
  });

  longIt('a proposal of a comment reaches who sees both the comment and the record', async () => {
    const [ada, grace, linus] = users;
    const { id, mailbox } = await givenThread(ada);
    await giveMailbox(workspace, grace, mailbox);
    const reply = await givenReply(workspace, ada, { id } as never);
    await live.changes();
    const [seeing, hidden] = [await listening(grace), await listening(linus)];
    const source = { type: 'comment' as const, id: reply.id };
    const { proposal } = await givenUpdate(workspace, ada, { source });
    const { contact: secret } = (
      await ada.api.createContact({ body: { contact: { name: 'Hidden', visibility: 'private' } } })
    ).body;
    await givenUpdate(workspace, ada, { source, params: { record_id: secret.id, headline: 'Analyst' } });
    await told(seeing, hidden);
    expect(seeing.of('proposal.changed')).toMatchObject([{ id: proposal.id }]);
    expect(hidden.of('proposal.changed')).toEqual([]);
  });
});

test('mailbox.changed: for who has access, and for who gets it', async () => {
  const [ada, grace, linus] = users;
  const { mailbox } = await givenThread(ada);
  await live.changes();
  const all = [await listening(ada), await listening(grace), await listening(linus)] as const;
  await ada.api.updateMailbox({ params: { id: mailbox }, body: { mailbox: { name: 'Harbour' } } });
  await told(...all);
  await giveMailbox(workspace, grace, mailbox);
  await told(...all);
  expect(all[0].of('mailbox.changed')).toEqual([{ id: mailbox, changed: ['name', 'updated_at'] }]);
  expect(all[1].of('mailbox.changed')).toEqual([{ id: mailbox, changed: ['access'] }]);
  expect(all[2].received).toEqual([]);
});

describe('notifications', () => {
  test('reading and dismissing change the counts', async () => {
    const [ada, grace] = users;
    const share = { user_id: grace.user.id, access: 'view' as const };
    const { contact } = (await ada.api.createContact({ body: { contact: { name: 'Moira' } } })).body;
    await ada.api.createShare({
      params: { record_type: 'contacts', record_id: contact.id },
      body: { share },
    });
    await live.changes();
    const listener = await listening(grace);
    const [first] = (await grace.reader.listNotifications()).body.collection.records;
    const params = { id: (first as { id: string }).id };
    for (const change of [
      () => grace.api.markNotificationRead({ params }),
      () => grace.api.markNotificationUnread({ params }),
      () => grace.api.markAllNotificationsRead(),
    ]) {
      await change();
      await told(listener);
    }
    expect(listener.of('notification.counts').map(({ unread_counts }) => unread_counts)).toEqual([
      {},
      { contact_shared: 1 },
      {},
    ]);
    expect(listener.of('notification.created')).toEqual([]);
  });
});

describe('sockets close within one batch', () => {
  const ends: [string, (user: TestUser) => Promise<unknown>][] = [
    ['the key is deleted', async (user) => user.session.deleteApiKey({ params: { id: await keyOf(user) } })],
    [
      'the user is deactivated',
      (user) => change(keys.user(user.user.account_id, user.user.id), { status: 'deactivated' }),
    ],
    ['the account is closed', (user) => change(keys.account(user.user.account_id), { status: 'closed' })],
    ['keys are turned off', (user) => change(keys.account(user.user.account_id), { api_access: 'disabled' })],
  ];
  const change = (key: { PK: string; SK: string }, set: object) =>
    workspace.table.update(key, { set }, 'NONE');
  const keyOf = async (user: TestUser) =>
    (await user.session.listApiKeys()).body.api_keys.find(
      ({ tier, user_id }) => tier === 'read' && user_id === user.user.id,
    )?.id as string;

  test.each(ends)('when %s', async (_what, end) => {
    const [ada] = users;
    const listener = await listening(ada);
    await end(ada);
    await live.publish();
    await listener.closed;
    expect(await workspace.table.all(keys.socket(ada.user.account_id, '', '').PK)).toEqual([]);
  });

  test('when the session ends, and no other ones of the user', async () => {
    const [ada] = users;
    const [mine, other] = [await listening({ reader: ada.session }), await listening(ada)];
    await ada.session.deleteCurrentSession();
    await live.publish();
    await mine.closed;
    await other.settled();
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
  });

  const missed: [string, (hash: string) => Promise<unknown>][] = [
    ['the news was lost', (hash) => workspace.table.delete(keys.credential(hash))],
    ['the key has expired', (hash) => change(keys.credential(hash), { expires_at_ms: Date.now() - 1 })],
  ];

  test.each(missed)('or with the next ping: %s', async (_what, end) => {
    const [ada, grace] = users;
    const [ending, staying] = [await listening(ada), await listening(grace)];
    await end(await hashOf(ada));
    await live.changes();
    await ping();
    await ending.closed;
    await staying.settled();
    expect(staying.of('ping')).toHaveLength(1);
    expect(await workspace.table.all(keys.socket(ada.user.account_id, '', '').PK)).toHaveLength(1);
  });
});

const hashOf = async ({ read_key }: TestUser) =>
  (await import('#shared/domain/identity/credentials/secret.ts')).hashSecret(read_key);

describe('at the socket', () => {
  test('junk changes nothing, and a megabyte closes it', async () => {
    const [ada] = users;
    const listener = await listening(ada);
    for (const junk of ['', '{', 'null', '{"type":"thread.changed"}', 'x'.repeat(30_000)])
      listener.socket.send(junk);
    listener.socket.send(new Uint8Array([0, 255, 1]));
    await listener.settled();
    expect(listener.received).toEqual([]);
    listener.socket.send('x'.repeat(1_000_000));
    expect((await listener.closed).code).toBe(1009);
  });

  test('a used ticket, and none at all, open nothing', async () => {
    const url = await ticketUrl(users[0]);
    open.push(await listenAt(url));
    await expect(listenAt(url)).rejects.toThrow('did not open');
    await expect(listenAt(url.replace(/\?.*/, ''))).rejects.toThrow('did not open');
  });

  test('sockets that are gone are forgotten once they are old enough to be known', async () => {
    const [ada] = users;
    const { user } = ada;
    const holder = {
      account_id: user.account_id,
      user_id: user.id,
      credential: { kind: 'api_key' as const, id: 'x', hash: await hashOf(ada) },
    };
    const [old, fresh] = [
      opening(holder, 'old=', new Date(Date.now() - 60_000)),
      opening(holder, 'fresh=', new Date()),
    ];
    await workspace.table.writeMany([...old.writes.slice(0, 2), ...fresh.writes]);
    await ping();
    const left = await workspace.table.all<{ PK: string; SK: string; connection_id: string }>(
      keys.socket(user.account_id, '', '').PK,
    );
    expect(left.map(({ connection_id }) => connection_id)).toEqual(['fresh=']);
  });
});

describe('cost', () => {
  test('of a change without a listener: two round trips, half a read unit for its account', async () => {
    const [ada] = users;
    const { id } = await givenThread(ada);
    await givenComment(ada, { id });
    const Records = await live.changes();
    const cost = await measureTable(workspace.table, () => handler({ Records }));
    expect(cost.depth).toBeLessThanOrEqual(2);
    expect(cost.writes).toBe(0);
    expect(cost.read_units).toBeLessThanOrEqual(3);
  });

  longIt('of a comment that 200 connected users see: a message each, in few round trips', async () => {
    const [ada] = users;
    const { account_id } = ada.user;
    const { contact } = (await ada.api.createContact({ body: { contact: { name: 'Moira' } } })).body;
    const ids = await givenColleagues(workspace, ada, 200);
    const now = new Date();
    const credential = { kind: 'api_key' as const, id: 'x', hash: 'x' };
    await workspace.table.writeMany(
      ids.flatMap((user_id) => opening({ account_id, user_id, credential }, `of-${user_id}`, now).writes),
    );
    await live.changes();
    const params = { record_type: 'contacts' as const, record_id: contact.id };
    await ada.api.createComment({ params, body: { comment: { html_content: 'Hello' } } });
    const Records = await live.changes();
    const sent: string[] = [];
    const send = async (connection: string) => {
      sent.push(connection);
      return 'sent' as const;
    };
    workspace.ctx.stand_ins = { sockets: () => ({ send, close: send }) };
    const cost = await measureTable(workspace.table, () => handler({ Records }));
    expect(sent.toSorted()).toEqual(ids.map((id) => `of-${id}`).toSorted());
    expect(cost.depth).toBeLessThanOrEqual(6);
    expect(cost.calls.length).toBeLessThanOrEqual(12);
  });
});

describe('a record of the stream that nobody can read', () => {
  test('delays no other', async () => {
    const [ada] = users;
    const { id } = await givenThread(ada);
    await live.changes();
    await ada.api.flagThread({ params: { thread_id: id } });
    const Records = await live.changes();
    const poison = [{}, { dynamodb: { Keys: { PK: { S: 'USER#x' }, SK: { S: 'DRAFT#x' } } } }];
    expect(newsOf(kinds, [...poison, ...Records, ...poison] as never)).toHaveLength(1);
  });
});
