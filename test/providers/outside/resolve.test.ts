import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askingNameServers, type Resolve } from '#shared/providers/outside/resolve.ts';
import { longIt } from '../../support/long.ts';
import { startNameServer } from '../../support/name-server.ts';

describe('asking name servers', () => {
  let names: Awaited<ReturnType<typeof startNameServer>>;
  let resolve: Resolve;
  beforeAll(async () => {
    names = await startNameServer({
      'push.example': ['93.184.216.34', '93.184.216.35'],
      'six.example': ['2606:4700:0:0:0:0:0:1111'],
      'both.example': ['93.184.216.34', '2606:4700:0:0:0:0:0:1111'],
      'none.example': [],
    });
    resolve = askingNameServers([names.server]);
  });
  afterAll(() => names?.close());

  it('finds all addresses, of both families', async () => {
    const [four, five, six] = [
      { address: '93.184.216.34', family: 4 },
      { address: '93.184.216.35', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ];
    expect(await resolve('push.example')).toEqual([four, five]);
    expect(await resolve('six.example')).toEqual([six]);
    expect(await resolve('both.example')).toEqual([four, six]);
    await expect(resolve('none.example')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it.each(['localhost', 'LOCALHOST.', 'push.localhost'])(
    '%s is this machine, and never asked',
    async (host) => {
      expect(await resolve(host)).toEqual([{ address: '127.0.0.1', family: 4 }]);
      expect(names.asked).not.toContain(host);
    },
  );

  longIt(
    'names that get no answer hold up no other, and are given up after seconds',
    async () => {
      const begun = performance.now();
      const silent = Array.from({ length: 50 }, (_, i) => resolve(`silent-${i}.example`));
      const given_up = Promise.allSettled(silent);
      await resolve('push.example');
      expect(performance.now() - begun).toBeLessThan(1_500);
      for (const each of await given_up)
        expect(each).toMatchObject({ status: 'rejected', reason: { code: 'ETIMEOUT' } });
      expect(performance.now() - begun).toBeLessThan(9_500);
    },
    20_000,
  );
});
