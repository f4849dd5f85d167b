import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostingCache } from '#shared/domain/platform/postings/cache.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { containing } from '#shared/table/table.ts';
import { failCall } from '../../../support/faults.ts';
import { reduced } from '../../../support/long.ts';
import { countRoundTrips } from '../../../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** Conjunctions of one request that read the same lists. */

const rankAt = (number: number) => String(number).padStart(3, '0');

describe('a cache of postings', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  async function listOf(numbers: number[], words?: string): Promise<string> {
    const owner = newId(new Date());
    const postings = numbers.map((number) => ({
      ...keys.posting(owner, 'any', rankAt(number)),
      ...(words ? { words } : {}),
    }));
    await workspace.table.writeMany(postings.map((put) => ({ put })));
    return owner;
  }

  const taken = async (found: Conjunction<never>, count: number) =>
    (await found.take(count)).map(({ SK }: { SK: string }) => SK);

  it('gives every conjunction what the table gives, whatever was read before or at the same time', async () => {
    const numbers = fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 40 });
    const asked = fc.record({
      pair: fc.boolean(),
      page_size: fc.integer({ min: 1, max: 7 }),
      count: fc.integer({ min: 1, max: 45 }),
      order: fc.constantFrom<'asc' | 'desc'>('desc', 'desc', 'desc', 'asc'),
      before: fc.option(fc.nat({ max: 60 }).map(rankAt), { nil: undefined }),
      kept: fc.boolean(),
    });
    const all = fc.array(asked, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(numbers, numbers, all, fc.boolean(), async (some, others, all, together) => {
        const owners = [await listOf(some, ' kept'), await listOf(others)];
        const cache = new PostingCache(workspace.table);
        const through = (lists: PostingCache | Workspace['table'], one: (typeof all)[number]) => {
          const { pair, before, kept, page_size, order } = one;
          const filter = kept ? { words: containing<string>(' kept') } : undefined;
          const clauses = owners
            .slice(0, pair ? 2 : 1)
            .map((owner) => [{ owner, list: 'any', before, filter: filter as never }]);
          return taken(
            new Conjunction<never>(lists, clauses, { page_size, max_steps: 1_000, order }),
            one.count,
          );
        };
        const expected = await Promise.all(all.map((one) => through(workspace.table, one)));
        const found: string[][] = [];
        if (together) found.push(...(await Promise.all(all.map((one) => through(cache, one)))));
        else for (const one of all) found.push(await through(cache, one));
        expect(found).toEqual(expected);
      }),
      { numRuns: reduced(40) },
    );
  });

  const whole = (owner: string, lists: PostingCache) => {
    const reading = { page_size: 10, max_steps: 1_000 };
    return taken(new Conjunction<never>(lists, [[{ owner, list: 'any' }]], reading), 100);
  };

  it('reads each posting once', async () => {
    const owner = await listOf(Array.from({ length: 90 }, (_, i) => i));
    const cache = new PostingCache(workspace.table);
    const first = await countRoundTrips(workspace.table, () => whole(owner, cache));
    const again = await countRoundTrips(workspace.table, () => whole(owner, cache));
    expect([first.calls.length > 0, again.calls.length]).toEqual([true, 0]);
  });

  it('reads again what could not be read', async () => {
    const owner = await listOf(Array.from({ length: 30 }, (_, i) => i));
    const cache = new PostingCache(workspace.table);
    const fault = failCall(workspace.table, 2, 'before');
    await expect(whole(owner, cache)).rejects.toThrow('Injected fault');
    fault.remove();
    expect((await whole(owner, cache)).length).toBe(30);
  });
});
