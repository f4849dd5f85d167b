import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticate } from '#shared/domain/identity/credentials/authenticate.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import {
  type Counters,
  counterName,
  KEY_LIMIT,
  slotOf,
  USER_LIMIT,
  WINDOW,
} from '#shared/domain/platform/rates/rate.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { refuse } from '../support/faults.ts';
import { long, longIt } from '../support/long.ts';
import { type Probes, startProbes } from '../support/probes.ts';
import { asJson, bearer, type RawResponse, raw } from '../support/raw.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Check 5 of docs/specification/requests.md: 600 requests a minute for a key, 1,200 for a user. */
describe('rate limits', () => {
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

  const call = (secret: string) => raw(probes.url, { path: '/probes', headers: [bearer(secret)] });
  const at = (time: string) => workspace.setTime(new Date(time));
  const newKey = async (user: TestUser) => {
    const api_key = { name: 'Counted', tier: 'read_write' as const };
    return (await user.session.createApiKey({ body: { api_key } })).body.api_key.secret;
  };
  const hourOf = (time: string) => Math.floor(Date.parse(time) / 3_600_000);
  type Counted = Item & Counters & { expires_epoch?: number };
  const count = (key: Key, time: string, requests: number) =>
    workspace.table.update<Counted>(key, { set: { [counterName(slotOf(new Date(time)))]: requests } });
  /** Stores counters as if a key had made so many requests at a time. */
  const spent = (secret: string, time: string, requests: number) =>
    count(keys.credential(hashSecret(secret)), time, requests);
  /** The same for a user, over all keys. */
  const spentBy = (user: TestUser, time: string, requests: number) =>
    count(keys.userRate(user.user.id, hourOf(time)), time, requests);
  const limits = ({ headers }: RawResponse) => ({
    limit: Number(headers['ratelimit-limit']),
    remaining: Number(headers['ratelimit-remaining']),
    reset: Number(headers['ratelimit-reset']),
  });

  longIt('allows 600 requests in a minute and refuses the 601st, until some are a minute old', async () => {
    const secret = await newKey(workspace.ada);
    at('2050-01-01T10:00:15Z');
    const statuses: number[] = [];
    const before = long ? 0 : KEY_LIMIT - 60;
    await spent(secret, '2050-01-01T10:00:15Z', before);
    for (let sent = before; sent < KEY_LIMIT; sent += 60) {
      const responses = await Promise.all(Array.from({ length: 60 }, () => call(secret)));
      statuses.push(...responses.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(KEY_LIMIT - before);
    const refused = await call(secret);
    expect([refused.status, refused.json.error?.code]).toEqual([429, 'rate_limited']);
    expect(refused.json.error?.message).toBe('The limit is 600 requests in a minute for a key.');
    const wait = Number(refused.headers['retry-after']);
    expect(Number.isInteger(wait)).toBe(true);
    // They were made at the beginning of three seconds: two of 601 leave the window when the first of these has passed.
    expect(wait).toBe(61);
    expect(limits(refused)).toEqual({ limit: 600, remaining: 0, reset: 63 });
    at('2050-01-01T10:01:15.900Z');
    const early = await call(secret);
    expect([early.status, early.headers['retry-after']]).toEqual([429, '1']);
    // The refusal is cached: the response has the time that is left.
    expect(limits(early)).toEqual({ limit: 600, remaining: 0, reset: 3 });
    at('2050-01-01T10:01:16Z');
    expect((await call(secret)).status).toBe(200);
    at('2050-01-01T10:02:19Z');
    expect(limits(await call(secret)).remaining).toBe(599);
    workspace.setTime(undefined);
  });

  it('counts the oldest three seconds by the part that is still in the window, up to 20 requests', async () => {
    const secret = await newKey(workspace.ada);
    await spent(secret, '2051-01-01T10:00:00Z', 15);
    at('2051-01-01T10:01:01Z');
    // Ten of 15 are still counted: this is the 11th.
    expect(limits(await call(secret))).toEqual({ limit: 600, remaining: 589, reset: 62 });
    const other = await newKey(workspace.ada);
    await spent(other, '2051-01-01T10:00:00Z', 600);
    at('2051-01-01T10:01:02.900Z');
    expect(limits(await call(other)).remaining).toBe(19);
    // A moment later none of them counts.
    at('2051-01-01T10:01:03Z');
    expect(limits(await call(other)).remaining).toBe(598);
    workspace.setTime(undefined);
  });

  it('600 at the end of a minute leave none for the beginning of the next', async () => {
    const secret = await newKey(workspace.ada);
    await spent(secret, '2051-01-01T11:00:59Z', 600);
    const responses: number[] = [];
    for (const time of ['11:01:00Z', '11:01:30Z', '11:01:56Z']) {
      at(`2051-01-01T${time}`);
      responses.push((await call(secret)).status);
    }
    expect(responses).toEqual([429, 429, 429]);
    workspace.setTime(undefined);
  });

  it('allows a user 1,200 over all keys, and other users their full limit', async () => {
    const time = '2052-01-01T10:00:30Z';
    const [first, second] = [await newKey(workspace.grace), await newKey(workspace.grace)];
    at(time);
    await spentBy(workspace.grace, time, USER_LIMIT - 2);
    const responses = [await call(first), await call(second), await call(workspace.grace.read_key)];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(responses[2]?.json.error?.message).toBe(
      'The limit is 1,200 requests in a minute for a user, over all keys and sessions.',
    );
    expect(limits(responses[1] as RawResponse)).toMatchObject({ limit: 1_200, remaining: 0 });
    expect(limits(responses[2] as RawResponse)).toMatchObject({ limit: 1_200, remaining: 0 });
    expect(Number(responses[2]?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call(workspace.ada.read_key)).status).toBe(200);
    workspace.setTime(undefined);
  });

  it('counts across the change of the hour', async () => {
    const secret = await newKey(workspace.linus);
    const before = '2053-01-01T10:59:59Z';
    await spentBy(workspace.linus, before, USER_LIMIT);
    at('2053-01-01T11:00:00Z');
    const refused = await call(secret);
    // The last three seconds of an hour are out of the window in the 60th second of the next.
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '58']);
    at('2053-01-01T11:00:56Z');
    expect((await call(secret)).status).toBe(429);
    at('2053-01-01T11:01:00Z');
    const allowed = await call(secret);
    // The one before was refused from the cache, without being counted.
    expect([allowed.status, limits(allowed).remaining]).toEqual([200, 598]);
    workspace.setTime(undefined);
  });

  it('keeps the counters of an hour for another hour, as long as a window can need them', async () => {
    at('2053-02-01T10:59:59Z');
    await call(await newKey(workspace.linus));
    const hour = hourOf('2053-02-01T10:00:00Z');
    const counted = await workspace.table.get<Counted>(keys.userRate(workspace.linus.user.id, hour));
    expect(counted?.expires_epoch).toBe(Date.parse('2053-02-01T12:00:00Z') / 1_000);
    workspace.setTime(undefined);
  });

  longIt.each(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'])(
    '429 when the table refuses to count (%s)',
    async (type) => {
      const secret = await newKey(workspace.hank);
      const refusal = refuse(workspace.table, 'UpdateItemCommand', { type });
      const response = await call(secret);
      refusal.remove();
      expect([response.status, response.json.error?.code]).toEqual([429, 'rate_limited']);
      expect(response.headers['retry-after']).toBe('1');
      expect((await call(secret)).status).toBe(200);
    },
  );

  it('500 when the table fails in another way', async () => {
    const secret = await newKey(workspace.hank);
    const refusal = refuse(workspace.table, 'UpdateItemCommand', { type: 'ResourceNotFoundException' });
    const response = await call(secret);
    refusal.remove();
    expect([response.status, response.json.error?.code]).toEqual([500, 'error']);
  });

  it('counts requests that are refused for another reason', async () => {
    const secret = await newKey(workspace.hank);
    at('2054-01-01T10:00:00Z');
    const headers = [bearer(secret)];
    const id = workspace.hank.user.id;
    const responses = [
      await raw(probes.url, { path: '/probes', headers: [...headers, ['Accept', 'text/html']] }),
      await raw(probes.url, { method: 'DELETE', path: `/probes/${id}`, headers }),
      await raw(probes.url, { method: 'POST', path: '/probes/x/parts/y', headers }),
      await raw(probes.url, { path: '/probes?word=abcdef', headers: [...headers, asJson] }),
      await call(secret),
    ];
    expect(responses.map(({ status }) => status)).toEqual([406, 403, 404, 400, 200]);
    expect(responses.map((response) => limits(response).remaining)).toEqual([599, 598, 597, 596, 595]);
    workspace.setTime(undefined);
  });

  it('counts the refused request as well', async () => {
    const secret = await newKey(workspace.hank);
    const time = '2055-01-01T10:00:00Z';
    at(time);
    await spent(secret, time, 600);
    expect((await call(secret)).status).toBe(429);
    const credential = await workspace.table.get<Counted>(keys.credential(hashSecret(secret)));
    expect(credential?.[counterName(slotOf(new Date(time)))]).toBe(601);
    workspace.setTime(undefined);
  });

  const countersOf = (item: object | undefined) =>
    Object.keys(item ?? {}).filter((name) => /^m\d+$/.test(name)).length;

  longIt('keeps only slightly more counters on a key than the window needs, however it is used', async () => {
    const secret = await newKey(workspace.hank);
    const { table } = workspace;
    const hash = hashSecret(secret);
    let most = 0;
    let time = Date.parse('2056-01-01T10:00:00Z');
    // One after the other, then one from time to time.
    for (const [times, pause] of [
      [60, 3_000],
      [30, 7_000],
      [50, 600_000],
      [30, 3_000],
    ] as const)
      for (let i = 0; i < times; i++) {
        time += pause;
        await authenticate(table, hash, new Date(time));
        const hour = Math.floor(time / 3_600_000);
        most = Math.max(most, countersOf(await table.get(keys.credential(hash))));
        const counted = await table.get(keys.userRate(workspace.hank.user.id, hour));
        // An item covers an hour, and at most one counter a minute is left behind.
        expect(countersOf(counted)).toBeLessThanOrEqual(WINDOW + 2 + 60);
      }
    // Below a kilobyte, the unit of a write.
    expect(most).toBeLessThanOrEqual(WINDOW + 2 + 20);
    expect(JSON.stringify(await table.get(keys.credential(hash))).length).toBeLessThan(1_000);
  });
});
