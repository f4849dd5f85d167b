import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { hashSecret, newSecret } from '#shared/domain/identity/credentials/secret.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { bestOfFive } from '../support/meter.ts';
import { type Probes, startProbes } from '../support/probes.ts';
import { bearer, errorText, type RawResponse, raw } from '../support/raw.ts';
import { countRoundTrips } from '../support/round-trips.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Check 4 of docs/specification/requests.md: the credential. */
describe('authentication', () => {
  let workspace: Workspace;
  let probes: Probes;
  beforeAll(async () => {
    workspace = await startWorkspace();
    probes = await startProbes(workspace.ctx);
  });
  afterAll(async () => {
    await probes.stop();
    await workspace.stop();
  });

  const call = (...headers: [string, string][]) => raw(probes.url, { path: '/probes', headers });
  const expectRefused = (response: RawResponse) => {
    expect([response.status, response.json.error?.code]).toEqual([401, 'unauthorized']);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.headers).not.toHaveProperty('ratelimit-limit');
  };
  const setUser = ({ user }: TestUser, status: User['status']) =>
    workspace.table.update<User>(keys.user(user.account_id, user.id), { set: { status } });
  const setAccount = ({ user }: TestUser, status: Account['status']) =>
    workspace.table.update<Account>(keys.account(user.account_id), { set: { status } });
  const newKey = async (expires_at?: string) => {
    const draft = { name: 'Temporary', tier: 'read' as const, ...(expires_at ? { expires_at } : {}) };
    return (await workspace.ada.session.createApiKey({ body: { api_key: draft } })).body.api_key;
  };

  it('200 with a key, a session, and any case of the scheme', async () => {
    for (const secret of [workspace.ada.read_key, workspace.ada.write_key, workspace.ada.session_token])
      expect((await call(bearer(secret))).status).toBe(200);
    expect((await call(['authorization', `bEARER   ${workspace.ada.read_key}`])).status).toBe(200);
  });

  it.each<[string, () => [string, string][]]>([
    ['no header', () => []],
    ['an empty header', () => [['Authorization', '']]],
    ['another scheme', () => [['Authorization', `Basic ${workspace.ada.read_key}`]]],
    ['no scheme', () => [['Authorization', workspace.ada.read_key]]],
    ['garbage', () => [bearer('garbage')]],
    ['two tokens', () => [bearer(`${workspace.ada.read_key} ${workspace.ada.read_key}`)]],
    [
      'a wrong checksum',
      () => [bearer(workspace.ada.read_key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')))],
    ],
    ['the kind of another key', () => [bearer(workspace.ada.read_key.replace('live', 'session'))]],
    ['two Authorization headers', () => [bearer(workspace.ada.read_key), bearer(workspace.ada.read_key)]],
    ['a key in the query', () => [['X-Api-Key', workspace.ada.read_key]]],
  ])('401 without asking the table: %s', async (_, headers) => {
    let response: RawResponse | undefined;
    const { calls } = await countRoundTrips(workspace.table, async () => {
      response = await call(...headers());
    });
    expectRefused(response as RawResponse);
    expect(calls).toEqual([]);
  });

  it('401: an unknown key, which leaves nothing in the table', async () => {
    const secret = newSecret('api_key');
    expectRefused(await call(bearer(secret)));
    expect(await workspace.table.get(keys.credential(hashSecret(secret)))).toBeUndefined();
  });

  it('401: a revoked key', async () => {
    const { id, secret } = await newKey();
    expect((await call(bearer(secret))).status).toBe(200);
    await workspace.ada.session.deleteApiKey({ params: { id } });
    expectRefused(await call(bearer(secret)));
    expect(await workspace.table.get(keys.credential(hashSecret(secret)))).toBeUndefined();
  });

  it('401: a key, from the moment at which it expires', async () => {
    const { secret } = await newKey('2090-01-01T00:00:00Z');
    workspace.setTime(new Date('2089-12-31T23:59:59.999Z'));
    expect((await call(bearer(secret))).status).toBe(200);
    workspace.setTime(new Date('2090-01-01T00:00:00.000Z'));
    expectRefused(await call(bearer(secret)));
    workspace.setTime(undefined);
  });

  it.each(['invited', 'deactivated'] as const)('401: a user who is %s', async (status) => {
    await setUser(workspace.linus, status);
    expectRefused(await call(bearer(workspace.linus.read_key)));
    expectRefused(await call(bearer(workspace.linus.session_token)));
    await setUser(workspace.linus, 'active');
    expect((await call(bearer(workspace.linus.read_key))).status).toBe(200);
  });

  it('401: a closed account', async () => {
    await setAccount(workspace.hank, 'closed');
    expectRefused(await call(bearer(workspace.hank.read_key)));
    await setAccount(workspace.hank, 'active');
    expect((await call(bearer(workspace.hank.read_key))).status).toBe(200);
  });

  it('says how the key was sent wrongly', async () => {
    const key = workspace.ada.read_key;
    const sent: [[string, string][], RegExp][] = [
      [[], /^The request has no key\. Send one as the header "Authorization: Bearer <key>"\.$/],
      [[['X-Api-Key', key]], /header x-api-key is not read/],
      [[['Authorization', key]], /^The word Bearer is missing before the key/],
      [[['Authorization', `Basic ${key}`]], /scheme of the Authorization header must be Bearer/],
      [[['Authorization', 'Bearer']], /no key after Bearer/],
      [[bearer(`"${key}"`)], /quotation marks/],
      [[bearer('<key>')], /angle brackets/],
      [[bearer(key.slice(0, -1))], /not complete/],
      [[bearer(key), bearer(key)], /more than once/],
      [[bearer(newSecret('api_key'))], /^The key is unknown, revoked or expired\.$/],
    ];
    for (const [headers, message] of sent) {
      const response = await call(...headers);
      expectRefused(response);
      expect(response.json.error?.message).toMatch(message);
      expect(response.text).not.toContain(key);
    }
    const inQuery = await raw(probes.url, { path: `/probes?api_key=${key}` });
    expectRefused(inQuery);
    expect(inQuery.json.error?.message).toMatch(/in the query \(api_key\) is not read.*revoke it/);
  });

  it('refuses the longest header that the gateway passes on at once', async () => {
    const began = process.cpuUsage();
    expectRefused(await call(['Authorization', `Bearer x${' '.repeat(9_000)}x`]));
    // Microseconds.
    expect(process.cpuUsage(began).user).toBeLessThan(40_000);
  });

  it('gives unknown and expired keys, and those of suspended users, the same body', async () => {
    workspace.setTime(new Date('2060-01-01T00:00:00Z'));
    const { secret } = await newKey('2060-01-01T00:00:01Z');
    workspace.setTime(new Date('2060-01-01T00:00:02Z'));
    await setUser(workspace.grace, 'deactivated');
    const refused = await Promise.all([
      call(bearer(secret)),
      call(bearer(newSecret('session'))),
      call(bearer(workspace.grace.read_key)),
    ]);
    await setUser(workspace.grace, 'active');
    workspace.setTime(undefined);
    for (const response of refused) expectRefused(response);
    expect(new Set(refused.map(errorText)).size).toBe(1);
  });

  it('needs no key for public operations, and ignores a bad one', async () => {
    for (const headers of [[], [bearer('garbage')]]) {
      const response = await raw(probes.url, { method: 'POST', path: '/probes', headers });
      expect(response.status).toBe(201);
      expect(response.headers).not.toHaveProperty('ratelimit-limit');
    }
  });

  describe('round trips', bestOfFive, () => {
    beforeEach(() => workspace.setTime(undefined));
    const measure = (secret: string) => countRoundTrips(workspace.table, () => call(bearer(secret)));

    it.each([
      ['any time', '2060-03-04T05:06:07Z'],
      ['the first minute of an hour', '2060-03-04T06:00:01Z'],
      ['later, with counters to drop', '2060-03-04T09:10:00Z'],
    ])('authenticates in two sequential ones: %s', async (_, time) => {
      workspace.setTime(new Date(time));
      const { calls, depth } = await measure(workspace.grace.read_key);
      expect(calls.length).toBeGreaterThan(1);
      expect(depth).toBe(2);
      workspace.setTime(undefined);
    });

    it('refuses an unknown key in one', async () => {
      expect(await measure(newSecret('api_key'))).toEqual({ calls: ['UpdateItemCommand'], depth: 1 });
    });
  });
});
