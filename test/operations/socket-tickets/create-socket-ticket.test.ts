import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashSecret as hashOf } from '#shared/domain/identity/credentials/secret.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { handler as connect } from '../../../functions/sockets/connect.ts';
import { handler as answer } from '../../../functions/sockets/default.ts';
import { handler as disconnect } from '../../../functions/sockets/disconnect.ts';
import { givenAccount } from '../../support/accounts.ts';
import { scan } from '../../support/scan.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Tickets, and what they open: the functions that API Gateway calls, without a socket. */

let workspace: Workspace;
let user: TestUser;
let opened = 0;
beforeAll(async () => {
  workspace = await startWorkspace({ own_table: true });
});
afterAll(() => workspace.stop());
beforeEach(async () => {
  [user] = (await givenAccount(workspace, 1)) as [TestUser];
  workspace.setTime(undefined);
});

const ticketOf = async (api = user.reader) => (await api.createSocketTicket()).body.socket_ticket;
const connectionId = () => `L0SM9cOFvHcCI${++opened}=`;
const statusOf = async (ticket: string | undefined, id = connectionId()) =>
  (
    await connect({
      requestContext: { connectionId: id },
      queryStringParameters: ticket === undefined ? null : { ticket },
    })
  ).statusCode;

const change = (key: Key, set: object) => workspace.table.update(key, { set }, 'NONE');

const socketsOf = ({ user: { account_id } }: TestUser) =>
  workspace.table.all(keys.socket(account_id, '', '').PK);

describe('POST /socket_tickets', () => {
  test('a read key gets a ticket for 60 seconds, and the address', async () => {
    workspace.setTime(new Date('2026-11-25T10:00:00.000Z'));
    const { status, body } = await user.reader.createSocketTicket();
    expect(status).toBe(201);
    expect(body.socket_ticket).toEqual({
      ticket: expect.stringMatching(/^wst_[\w-]{43}$/),
      url: `${workspace.url.replace('http', 'ws')}/socket`,
      expires_at: '2026-11-25T10:01:00.000Z',
    });
  });

  test('the table holds no text of a ticket', async () => {
    const { ticket } = await ticketOf();
    expect(JSON.stringify(await scan(workspace.table))).not.toContain(ticket);
  });
});

describe('a ticket', () => {
  test('opens one socket: twice, and at once, all but one are refused', async () => {
    const { ticket } = await ticketOf();
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(ticket)));
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
    expect(await statusOf(ticket)).toBe(401);
    expect(await socketsOf(user)).toHaveLength(1);
  });

  test.each([undefined, '', 'x', `wst_${'a'.repeat(43)}`, 'a'.repeat(8_000), '\u0000', 'wsk_live_x'])(
    'that is none opens nothing: %j',
    async (ticket) => {
      expect(await statusOf(ticket)).toBe(401);
    },
  );

  test('is refused after 60 seconds, and used up by that', async () => {
    const start = new Date('2026-11-25T10:00:00.000Z');
    workspace.setTime(start);
    const { ticket } = await ticketOf();
    workspace.setTime(new Date(start.getTime() + 60_000));
    expect(await statusOf(ticket)).toBe(401);
    workspace.setTime(start);
    expect(await statusOf(ticket)).toBe(401);
  });

  test('is of the user who made it, whoever uses it', async () => {
    const [other] = (await givenAccount(workspace, 1)) as [TestUser];
    const { ticket } = await ticketOf(other.reader);
    expect(await statusOf(ticket)).toBe(200);
    expect(await socketsOf(other)).toMatchObject([{ user_id: other.user.id }]);
    expect(await socketsOf(user)).toEqual([]);
  });

  test.each([
    ['the key is deleted', () => workspace.table.delete(keys.credential(hashOf(user.read_key)))],
    ['the key has expired', () => change(keys.credential(hashOf(user.read_key)), { expires_at_ms: 1 })],
    [
      'the user is deactivated',
      () => change(keys.user(user.user.account_id, user.user.id), { status: 'deactivated' }),
    ],
    ['the account is closed', () => change(keys.account(user.user.account_id), { status: 'closed' })],
    ['keys are turned off', () => change(keys.account(user.user.account_id), { api_access: 'disabled' })],
  ])('is refused when %s', async (_what, end) => {
    const { ticket } = await ticketOf();
    await end();
    expect(await statusOf(ticket)).toBe(401);
    expect(await socketsOf(user)).toEqual([]);
  });

  test('of a session is refused when the session is over, and not when keys are turned off', async () => {
    const [first, second] = [await ticketOf(user.session), await ticketOf(user.session)];
    await change(keys.account(user.user.account_id), { api_access: 'disabled' });
    expect(await statusOf(first.ticket)).toBe(200);
    await user.session.deleteCurrentSession();
    expect(await statusOf(second.ticket)).toBe(401);
  });
});

test('a user has 50 sockets, however many open at once', async () => {
  const openAtOnce = (ids: string[]) =>
    Promise.all(ids.map(async (id) => statusOf((await ticketOf()).ticket, id)));
  const tens = Array.from({ length: 6 }, () => Array.from({ length: 10 }, connectionId));
  for (const ten of tens.slice(0, 5)) expect(new Set(await openAtOnce(ten))).toEqual(new Set([200]));
  expect(new Set(await openAtOnce(tens[5] as string[]))).toEqual(new Set([429]));
  expect(await socketsOf(user)).toHaveLength(50);
  await disconnect({ requestContext: { connectionId: tens[0]?.[0] as string } });
  expect(await statusOf((await ticketOf()).ticket)).toBe(200);
});

test('a socket that ends leaves nothing behind, also when its end is reported twice', async () => {
  const id = connectionId();
  await statusOf((await ticketOf()).ticket, id);
  for (const _ of [1, 2]) await disconnect({ requestContext: { connectionId: id } });
  expect(await socketsOf(user)).toEqual([]);
  expect(await workspace.table.get(keys.socketPlace(id))).toBeUndefined();
});

test.each([
  ['{"type":"ping"}', true],
  ['{"type":"pong"}', false],
  ['', false],
  [null, false],
  ['{', false],
  ['null', false],
  ['[]', false],
  [`{"type":"ping","x":"${'a'.repeat(1_000_000)}"}`, false],
])('what clients send is answered only when it is a ping: %.30j', async (body, answered) => {
  const response = await answer({ requestContext: { connectionId: 'x' }, body });
  expect(response.statusCode).toBe(200);
  if (!answered) expect(response).not.toHaveProperty('body');
  else
    expect(JSON.parse(response.body as string)).toEqual({ type: 'ping', at: expect.any(String), data: {} });
});
