import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { findPage, type Paging } from '#shared/domain/platform/postings/page.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import {
  type Bounds,
  type Order,
  type OwnedRange,
  restFrom,
} from '#shared/domain/platform/postings/reader.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { containing } from '#shared/table/table.ts';
import { longIt, reduced } from '../../../support/long.ts';
import { countRoundTrips } from '../../../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** Lists of any owners, compared with sets in memory. */

const ranks = fc.nat({ max: 14 }).map((number) => String(number).padStart(2, '0'));

/** A range with the ranks in its list; a filter on `words` keeps those in `kept`. */
const range = fc.record({
  held: fc.uniqueArray(ranks, { maxLength: 12 }),
  kept: fc.option(fc.uniqueArray(ranks, { maxLength: 8 }), { nil: undefined }),
  from: fc.option(ranks, { nil: undefined }),
  before: fc.option(ranks, { nil: undefined }),
  first: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
});
const query = fc.array(fc.array(range, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
type DrawnRange = typeof range extends fc.Arbitrary<infer T> ? T : never;

const inRange = ({ held, kept, from = '', before = '~' }: DrawnRange) =>
  held.filter((rank) => rank >= from && rank < before && (kept === undefined || kept.includes(rank)));

const order = fc.constantFrom<Order>('desc', 'asc');

/** Ranks in every clause, in order. */
function expected(clauses: DrawnRange[][], order: Order = 'desc'): string[] {
  const [first = [], ...others] = clauses.map((ranges) => new Set(ranges.flatMap(inRange)));
  const all = [...first].filter((rank) => others.every((other) => other.has(rank))).sort();
  return order === 'asc' ? all : all.reverse();
}

describe('a conjunction of posting lists', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  /** Each range is a list of an owner of its own. */
  async function given(clauses: DrawnRange[][]): Promise<OwnedRange[][]> {
    const places: Posting[] = [];
    const written = clauses.map((ranges) =>
      ranges.map(({ held, kept, from, before, first }): OwnedRange => {
        const owner = newId(new Date());
        for (const rank of held)
          places.push({
            ...keys.posting(owner, 'any', rank),
            ...(kept?.includes(rank) ? { words: ' kept' } : {}),
          });
        return {
          owner,
          list: 'any',
          from,
          before,
          ...(kept ? { filter: { words: containing<string>(' kept') } } : {}),
          ...(first === undefined ? {} : { first }),
        };
      }),
    );
    await workspace.table.writeMany(places.map((put) => ({ put })));
    return written;
  }

  it('returns the ranks in all clauses, in either order, for any page size', async () => {
    await fc.assert(
      fc.asyncProperty(query, fc.integer({ min: 1, max: 5 }), order, async (clauses, page_size, order) => {
        const reading = { page_size, max_steps: 1_000, order };
        const found = new Conjunction(workspace.table, await given(clauses), reading);
        const taken = await found.take(100);
        expect(taken.map(({ SK }) => SK)).toEqual(expected(clauses, order));
        expect(found.ended).toBe(true);
      }),
      { numRuns: reduced(40) },
    );
  });

  it('returns candidates instead of reading on, where a clause has few left: all that match, and no others as sure', async () => {
    const sizes = fc.record({
      page_size: fc.integer({ min: 1, max: 5 }),
      few: fc.integer({ min: 0, max: 8 }),
      leads_from: fc.constantFrom(0, 1, 2, Number.POSITIVE_INFINITY),
    });
    await fc.assert(
      fc.asyncProperty(query, sizes, order, async (clauses, sizes, order) => {
        const reading = { ...sizes, max_steps: 1_000, order };
        const found = new Conjunction(workspace.table, await given(clauses), reading);
        const sure: string[] = [];
        const all: string[] = [];
        for (let next = await found.nextCandidate(); next; next = await found.nextCandidate()) {
          all.push(next.posting.SK);
          if (next.isSure) sure.push(next.posting.SK);
        }
        const matching = expected(clauses, order);
        const inOrder = all.toSorted();
        expect(all).toEqual(order === 'asc' ? inOrder : inOrder.reverse());
        expect(all.filter((rank) => matching.includes(rank))).toEqual(matching);
        expect(sure.filter((rank) => !matching.includes(rank))).toEqual([]);
        expect(new Set(all).size).toBe(all.length);
      }),
      { numRuns: reduced(40) },
    );
  });

  it('leaves out what it is told not to keep, and reads on in one clause alone', async () => {
    const kept = fc.uniqueArray(ranks, { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(query, kept, fc.integer({ min: 1, max: 5 }), async (clauses, kept, page_size) => {
        const keeps = ({ SK }: Posting) => kept.includes(SK);
        const reading = { page_size, max_steps: 1_000, keeps, leads_from: 0 };
        const found = new Conjunction(workspace.table, await given(clauses), reading);
        const all: string[] = [];
        for (let next = await found.nextCandidate(); next; next = await found.nextCandidate())
          all.push(next.posting.SK);
        const matching = expected(clauses).filter((rank) => kept.includes(rank));
        expect(all.filter((rank) => matching.includes(rank))).toEqual(matching);
        expect(all.filter((rank) => !kept.includes(rank))).toEqual([]);
      }),
      { numRuns: reduced(40) },
    );
  });

  longIt('reads the list of the rarer word to its end, and not the other one', async () => {
    const rankAt = (number: number) => String(number).padStart(4, '0');
    const list = (numbers: number[]) => {
      const owner = newId(new Date());
      return { owner, postings: numbers.map((number) => keys.posting(owner, 'any', rankAt(number))) };
    };
    const even = list(Array.from({ length: 2_000 }, (_, i) => 2 * i));
    const rare = list(Array.from({ length: 80 }, (_, i) => 50 * i + 1));
    await workspace.table.writeMany([...even.postings, ...rare.postings].map((put) => ({ put })));
    const clauses = [even, rare].map(({ owner }) => [{ owner, list: 'any' }]);
    const reading = { page_size: 10, max_steps: 10, keeps: () => false, leads_from: 0 };
    const { calls } = await countRoundTrips(workspace.table, async () => {
      const found = new Conjunction(workspace.table, clauses, reading);
      expect(await found.nextCandidate()).toBeUndefined();
      expect(found.ended).toBe(true);
    });
    // Pages of 10, 40 and 160 of the rare one, beside the first page of the other.
    expect(calls.length).toBe(4);
  });

  it('reads one page of each list where one has few', async () => {
    const many = Array.from({ length: 90 }, (_, i) => String(i).padStart(2, '0'));
    const all = { kept: undefined, from: undefined, before: undefined, first: undefined };
    const rare = { held: ['05', '40', '71'], ...all };
    const clauses = await given([[{ ...rare, held: many }], [rare]]);
    const reading = { page_size: 4, max_steps: 1, few: 3 };
    const found = new Conjunction(workspace.table, clauses, reading);
    const candidates = [
      await found.nextCandidate(),
      await found.nextCandidate(),
      await found.nextCandidate(),
    ];
    expect(candidates.map((each) => each?.posting.SK)).toEqual(['71', '40', '05']);
    expect(candidates.map((each) => each?.isSure)).toEqual([false, false, false]);
    expect(await found.nextCandidate()).toBeUndefined();
    expect(found.ended).toBe(true);
  });

  it('begins with one read where one is wanted, and ends when nothing more is', async () => {
    const held = Array.from({ length: 9 }, (_, i) => `0${i}`);
    const rare = { held, kept: ['00'], from: undefined, before: undefined, first: 1 };
    const clauses = await given([[rare]]);
    const { table } = workspace;
    const reading = { page_size: 1, max_steps: 99 };
    const begun = new Conjunction(table, clauses, reading);
    expect((await countRoundTrips(table, () => begun.readOnce())).depth).toBe(1);
    expect([begun.ready, begun.isRead]).toEqual([0, false]);
    expect((await begun.take(2)).map(({ SK }) => SK)).toEqual(['00']);
    let reads = 0;
    const stopped = new Conjunction(table, clauses, { ...reading, stops: () => ++reads > 1 });
    expect(
      (await countRoundTrips(table, async () => expect(await stopped.next()).toBeUndefined())).depth,
    ).toBe(1);
    expect(stopped.ended).toBe(false);
  });

  it('returns each kept row once over all pages, however few steps a page may take', async () => {
    const paging: Paging<string, Posting> = {
      limit: 2,
      rowsOf: async (postings) => postings.map(({ SK }) => SK).filter((rank) => rank !== '07'),
      rankOf: (rank) => rank,
    };
    await fc.assert(
      fc.asyncProperty(query, fc.integer({ min: 1, max: 3 }), order, async (clauses, max_steps, order) => {
        const lists = await given(clauses);
        const rows: string[] = [];
        let rest: Bounds = {};
        let pages = 0;
        let next: string | null;
        do {
          const reading = { page_size: 2, max_steps, order };
          const page = await findPage(new Conjunction(workspace.table, narrowed(lists, rest), reading), {
            ...paging,
            order,
          });
          expect(page.rows.length).toBeLessThanOrEqual(paging.limit);
          rows.push(...page.rows);
          next = page.next;
          if (next !== null) rest = restFrom[order](next);
          expect(++pages).toBeLessThan(200);
        } while (next !== null);
        expect(rows).toEqual(expected(clauses, order).filter((rank) => rank !== '07'));
      }),
      { numRuns: reduced(40) },
    );
  });
});
