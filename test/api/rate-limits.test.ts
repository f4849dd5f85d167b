import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { counterName, KEY_LIMIT, minuteOf, USER_LIMIT } from '../../shared/domain/credentials/rate.ts';
import { hashSecret } from '../../shared/domain/credentials/secret.ts';
import { keys } from '../../shared/table/keys.ts';
import { type Probes, startProbes } from '../support/probes.ts';
import { asJson, bearer, type RawAnswer, raw } from '../support/raw.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Check 5: 600 requests a minute for a key, 1,200 for a user. */
describe('rate limits', () => {
  let workspace: Workspace;
  let probes: Probes;
  beforeAll(async () => {
    workspace = await startWorkspace();
    probes = await startProbes(workspace.services);
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
  /** Pretends that a key made so many requests in a minute. */
  const spent = (secret: string, time: string, requests: number) =>
    workspace.table.update(keys.credential(hashSecret(secret)), {
      update: 'SET #minute = :requests',
      names: { '#minute': counterName(minuteOf(new Date(time))) },
      values: { ':requests': requests },
    });
  const limits = ({ headers }: RawAnswer) => ({
    limit: Number(headers['ratelimit-limit']),
    remaining: Number(headers['ratelimit-remaining']),
    reset: Number(headers['ratelimit-reset']),
  });

  it('allows 600 requests in a minute and refuses the 601st, until some are a minute old', async () => {
    const secret = await newKey(workspace.ada);
    at('2050-01-01T10:00:15Z');
    const statuses: number[] = [];
    for (let sent = 0; sent < KEY_LIMIT; sent += 60) {
      const answers = await Promise.all(Array.from({ length: 60 }, () => call(secret)));
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(600);
    const refused = await call(secret);
    expect([refused.status, refused.json.error?.code]).toEqual([429, 'rate_limited']);
    const wait = Number(refused.headers['retry-after']);
    expect(Number.isInteger(wait)).toBe(true);
    // The rest of this minute, and the part of the next that lets one of 601 go.
    expect(wait).toBe(46);
    expect(limits(refused)).toEqual({ limit: 600, remaining: 0, reset: 105 });
    at('2050-01-01T10:01:00.900Z');
    const early = await call(secret);
    expect([early.status, early.headers['retry-after']]).toEqual([429, '1']);
    expect(limits(early)).toMatchObject({ limit: 600, remaining: 0 });
    at('2050-01-01T10:01:01Z');
    expect((await call(secret)).status).toBe(200);
    workspace.setTime(undefined);
  });

  it('counts the minute before by the part of it that is still in the window', async () => {
    const secret = await newKey(workspace.ada);
    await spent(secret, '2051-01-01T10:00:00Z', 600);
    // Half of 600 is still counted: this is the 301st.
    at('2051-01-01T10:01:30Z');
    expect(limits(await call(secret))).toEqual({ limit: 600, remaining: 299, reset: 90 });
    // Nothing of it two minutes later.
    at('2051-01-01T10:02:30Z');
    expect(limits(await call(secret)).remaining).toBe(598);
    workspace.setTime(undefined);
  });

  it('allows a user 1,200 over all keys, and others the whole of theirs', async () => {
    const time = '2052-01-01T10:00:30Z';
    const [first, second] = [await newKey(workspace.grace), await newKey(workspace.grace)];
    at(time);
    const minute = minuteOf(new Date(time));
    await workspace.table.update(keys.userRate(workspace.grace.user.id, Math.floor(minute / 60)), {
      update: 'SET #minute = :requests',
      names: { '#minute': counterName(minute) },
      values: { ':requests': USER_LIMIT - 2 },
    });
    const answers = [await call(first), await call(second), await call(workspace.grace.read_key)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(limits(answers[1] as RawAnswer)).toMatchObject({ limit: 1_200, remaining: 0 });
    expect(limits(answers[2] as RawAnswer)).toMatchObject({ limit: 1_200, remaining: 0 });
    expect(Number(answers[2]?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call(workspace.ada.read_key)).status).toBe(200);
    workspace.setTime(undefined);
  });

  it('counts over the change of an hour', async () => {
    const secret = await newKey(workspace.linus);
    const before = '2053-01-01T10:59:59Z';
    const minute = minuteOf(new Date(before));
    await workspace.table.update(keys.userRate(workspace.linus.user.id, Math.floor(minute / 60)), {
      update: 'SET #minute = :requests',
      names: { '#minute': counterName(minute) },
      values: { ':requests': USER_LIMIT },
    });
    at('2053-01-01T11:00:00Z');
    const refused = await call(secret);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    at('2053-01-01T11:00:30Z');
    const allowed = await call(secret);
    expect([allowed.status, limits(allowed).remaining]).toEqual([200, 598]);
    workspace.setTime(undefined);
  });

  it('counts requests that are refused for another reason', async () => {
    const secret = await newKey(workspace.hank);
    at('2054-01-01T10:00:00Z');
    const headers = [bearer(secret)];
    const id = workspace.hank.user.id;
    const answers = [
      await raw(probes.url, { path: '/probes', headers: [...headers, ['Accept', 'text/html']] }),
      await raw(probes.url, { method: 'DELETE', path: `/probes/${id}`, headers }),
      await raw(probes.url, { method: 'POST', path: '/probes/x/parts/y', headers }),
      await raw(probes.url, { path: '/probes?word=abcdef', headers: [...headers, asJson] }),
      await call(secret),
    ];
    expect(answers.map(({ status }) => status)).toEqual([406, 403, 404, 400, 200]);
    expect(answers.map((answer) => limits(answer).remaining)).toEqual([599, 598, 597, 596, 595]);
    workspace.setTime(undefined);
  });

  it('counts the refused request as well', async () => {
    const secret = await newKey(workspace.hank);
    const time = '2055-01-01T10:00:00Z';
    at(time);
    await spent(secret, time, 600);
    expect((await call(secret)).status).toBe(429);
    const credential = await workspace.table.get(keys.credential(hashSecret(secret)));
    expect(credential?.[counterName(minuteOf(new Date(time)))]).toBe(601);
    workspace.setTime(undefined);
  });

  it('keeps no more counters on a key than the window needs', async () => {
    const secret = await newKey(workspace.hank);
    for (const minute of [10, 11, 12, 13, 14]) {
      at(`2056-01-01T10:${minute}:00Z`);
      await call(secret);
    }
    const credential = await workspace.table.get(keys.credential(hashSecret(secret)));
    expect(Object.keys(credential ?? {}).filter((name) => /^m\d+$/.test(name))).toHaveLength(2);
    workspace.setTime(undefined);
  });
});
