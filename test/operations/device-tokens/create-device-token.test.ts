import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { aToken, givenDevice, webSubscription } from '../../support/devices.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /device_tokens', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const create = ({ session }: TestUser, device_token: object) =>
    session.createDeviceToken({ body: { device_token: device_token as never } });
  const listOf = async ({ session }: TestUser) => (await session.listDeviceTokens()).body.device_tokens;
  const marked = async ({ user }: TestUser) =>
    (await workspace.table.get<User>(keys.user(user.account_id, user.id)))?.device_ids;

  it.each(['ios', 'android', 'web'] as const)('200: a device of %s', async (platform) => {
    const token = aToken[platform]();
    const { status, body } = await create(workspace.ada, {
      platform,
      token,
      name: ' Mine ',
      app_version: '4',
    });
    const { endpoint = token } = platform === 'web' ? JSON.parse(token) : {};
    expect([status, body.device_token]).toEqual([
      200,
      {
        ...{
          id: expect.any(String),
          user_id: workspace.ada.user.id,
          platform,
          name: 'Mine',
          app_version: '4',
        },
        ...{
          token_hint: endpoint.slice(-6),
          last_used_at: null,
          created_at: expect.any(String),
          updated_at: null,
        },
      },
    ]);
    expect(await listOf(workspace.ada)).toContainEqual(body.device_token);
    expect(await marked(workspace.ada)).toContain(body.device_token.id);
    const account = await workspace.table.get<Account>(keys.account(workspace.account_id));
    expect(account?.has_devices).toBe(true);
  });

  it('the same token is the same record: fields that are not sent stay, null clears', async () => {
    const { grace } = workspace;
    const token = aToken.ios();
    const first = (await create(grace, { platform: 'ios', token, name: 'Phone', app_version: '1' })).body;
    const again = (await create(grace, { platform: 'ios', token: token.toUpperCase() })).body;
    expect(again).toEqual(first);
    const changed = (await create(grace, { platform: 'ios', token, name: null, app_version: '2' })).body;
    expect(changed.device_token).toEqual({
      ...first.device_token,
      ...{ name: null, app_version: '2', updated_at: expect.any(String) },
    });
    expect(await listOf(grace)).toEqual([changed.device_token]);
    // Another platform's token is another one, whatever it says.
    const other = (await create(grace, { platform: 'android', token })).body.device_token;
    expect(other.id).not.toBe(first.device_token.id);
  });

  it('the same endpoint of a browser is the same record, with other keys too', async () => {
    const { linus } = workspace;
    const endpoint = `https://push.example/${randomUUID()}`;
    const [first, second] = [webSubscription(endpoint), webSubscription(endpoint)];
    const { id } = await givenDevice(linus, 'web', JSON.stringify(first.subscription));
    const { expirationTime: _, ...rest } = second.subscription;
    expect((await givenDevice(linus, 'web', JSON.stringify(rest))).id).toBe(id);
    expect(await listOf(linus)).toHaveLength(1);
  });

  it('moves to the user who registers it, of another account too, without what the other one wrote', async () => {
    const { grace, hank } = workspace;
    const token = aToken.android();
    const first = await givenDevice(grace, 'android', token, { name: 'Of Grace' });
    workspace.setTime(new Date(Date.now() + 60_000));
    const moved = await givenDevice(hank, 'android', token);
    workspace.setTime(undefined);
    expect(moved).toMatchObject({ id: first.id, user_id: hank.user.id, name: null, last_used_at: null });
    expect([moved.created_at > first.created_at, moved.updated_at]).toEqual([true, null]);
    expect(await listOf(hank)).toEqual([moved]);
    expect((await listOf(grace)).map(({ id }) => id)).not.toContain(first.id);
    expect(await marked(grace)).not.toContain(first.id);
    expect(await codeOf(grace.session.deleteDeviceToken({ params: { id: first.id } }))).toBe(
      '404 record_not_found',
    );
  });

  it('two users at once: it is of exactly one', async () => {
    const { ada, linus, hank } = workspace;
    const users = [ada, linus, hank];
    const token = aToken.android();
    await Promise.all(
      users.flatMap((user) => [givenDevice(user, 'android', token), givenDevice(user, 'android', token)]),
    );
    const lists = await Promise.all(users.map(listOf));
    const holders = lists
      .flat()
      .filter(({ token_hint, platform }) => platform === 'android' && token.endsWith(token_hint));
    expect(holders).toHaveLength(1);
  });

  longIt(
    '400: more than 50 devices, also of some at once; one that is there can be registered again',
    async () => {
      const { hank } = workspace;
      const tokens = Array.from({ length: 50 }, aToken.ios);
      for (const token of tokens.slice((await listOf(hank)).length + 2))
        await givenDevice(hank, 'ios', token);
      const more = Array.from({ length: 8 }, aToken.ios);
      const outcomes = await Promise.allSettled(more.map((token) => givenDevice(hank, 'ios', token)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      expect(await listOf(hank)).toHaveLength(50);
      expect(await problemsOf(create(hank, { platform: 'ios', token: aToken.ios() }))).toEqual({
        device_token: 'invalid',
      });
      await givenDevice(hank, 'ios', tokens.at(-1));
    },
  );

  const keysOf = () => webSubscription('https://push.example/1').subscription.keys;
  const web = (fields: object) =>
    JSON.stringify({ endpoint: 'https://push.example/1', keys: keysOf(), ...fields });
  it.each([
    ['ios', 'not hexadecimal'],
    ['ios', 'abc'],
    ['ios', 'ab'.repeat(129)],
    ['android', 'short'],
    ['android', 'with a blank in the middle of it'],
    ['web', 'no JSON'],
    ['web', 'null'],
    ['web', '[]'],
    ['web', web({ endpoint: 'http://push.example/1' })],
    ['web', web({ endpoint: 'file:///etc/passwd' })],
    ['web', web({ endpoint: 'https://user:word@push.example/1' })],
    ['web', web({ endpoint: 1 })],
    ['web', web({ keys: undefined })],
    ['web', web({ keys: { ...keysOf(), auth: 'AAAA' } })],
    ['web', web({ keys: { ...keysOf(), p256dh: 'AAAA' } })],
    // Not on the curve.
    ['web', web({ keys: { ...keysOf(), p256dh: Buffer.alloc(65, 4).toString('base64url') } })],
  ])('400: a token that %s does not have: %s', async (platform, token) => {
    expect(await problemsOf(create(workspace.ada, { platform, token }))).toEqual({ token: 'invalid_format' });
  });

  it('400: what does not fit', async () => {
    const { ada } = workspace;
    expect(await problemsOf(create(ada, {}))).toEqual({ platform: 'required', token: 'required' });
    expect(await problemsOf(create(ada, { platform: 'fridge', token: ' ', id: randomUUID() }))).toEqual({
      ...{ platform: 'invalid', token: 'required', id: 'not_allowed' },
    });
    expect(
      await problemsOf(create(ada, { platform: 'web', token: 'a'.repeat(4_097), name: 'a'.repeat(256) })),
    ).toEqual({ token: 'too_long', name: 'too_long' });
  });

  it('403: API keys', async () => {
    const device_token = { platform: 'ios' as const, token: aToken.ios() };
    const call = workspace.ada.api.createDeviceToken({ body: { device_token } });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });
});
