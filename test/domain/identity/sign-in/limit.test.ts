import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationFile } from '#shared/api/catalogue.ts';
import { readConfig } from '#shared/config.ts';
import { limitSignIn } from '#shared/domain/identity/sign-in/limit.ts';
import { networkOf } from '#shared/domain/identity/sign-in/network.ts';
import { operations } from '../../../../functions/catalogue.ts';
import { reduced } from '../../../support/long.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const SPECIFICATION = 'docs/specification/sign-in.md';

describe('the limit of sign-in requests', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const newAddress = () => `10.${[0, 0, 0].map(() => randomInt(256)).join('.')}`;
  const START = Date.parse('2031-05-01T10:20:00Z');
  const at = (source_ip: string, seconds: number, requests_per_hour = 10) =>
    limitSignIn({
      ...workspace.ctx,
      config: { ...workspace.ctx.config, sign_in: { ...workspace.ctx.config.sign_in, requests_per_hour } },
      now: new Date(START + seconds * 1_000),
      source_ip,
      user_agent: null,
    }).then(
      () => 0,
      ({ code, headers }) => (code === 'rate_limited' ? Number(headers['Retry-After']) : code),
    );

  it('is 300 an hour unless the service is configured otherwise', () => {
    expect(readConfig({}).sign_in.requests_per_hour).toBe(300);
    expect(readConfig({ SIGN_IN_REQUESTS_PER_HOUR: '7' }).sign_in.requests_per_hour).toBe(7);
  });

  it('is of the requests that docs/specification/sign-in.md names', () => {
    const counted = operations.filter((operation) =>
      readFileSync(operationFile(operation), 'utf8').includes('limitSignIn('),
    );
    const [row = ''] = /^\| Requests in 60 minutes to .*$/m.exec(readFileSync(SPECIFICATION, 'utf8')) ?? [];
    const named = [...row.matchAll(/`(\/[\w/]+)`/g)].map((match) => match[1]);
    expect(named.toSorted()).toEqual(counted.map(({ definition }) => definition.path).toSorted());
  });

  it('refuses the next request, says when to come back, and lets pass from then on', async () => {
    const address = newAddress();
    for (let i = 0; i < 10; i++) expect(await at(address, i)).toBe(0);
    const wait = await at(address, 60);
    expect(wait).toBeGreaterThan(3_000);
    expect(wait).toBeLessThanOrEqual(3_780);
    expect(await at(address, 60 + wait)).toBe(0);
    expect(await at(newAddress(), 60)).toBe(0);
  });

  it('counts exactly when all come at once', async () => {
    const address = newAddress();
    const count = reduced(100);
    const waits = await Promise.all(Array.from({ length: count }, () => at(address, 0, 10)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
  });

  it('allows no more in any 60 minutes, also across the items of its counters', async () => {
    const address = newAddress();
    // Items of counters begin every 60 hours.
    const border = Math.ceil(START / 216_000_000) * 216_000_000;
    const seconds = (border - START) / 1_000;
    for (let i = 0; i < 10; i++) expect(await at(address, seconds - 1_800 + i)).toBe(0);
    expect(await at(address, seconds + 1_500)).toBeGreaterThan(0);
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['', ''],
  ])('counts %s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
