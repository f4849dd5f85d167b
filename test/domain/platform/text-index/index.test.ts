import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDoc, removeDoc, restoreDoc, stateDoc } from '#shared/domain/platform/text-index/docs.ts';
import { findDocs, openIndex } from '#shared/domain/platform/text-index/find.ts';
import { sortIndex } from '#shared/domain/platform/text-index/sort.ts';
import { type SortJob, sortSoon } from '#shared/domain/platform/text-index/sorting.ts';
import { findState } from '#shared/domain/platform/text-index/store.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { Dice } from '../../../support/dice.ts';
import { crashAfter } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { longIt, reduced } from '../../../support/long.ts';
import { startTable } from '../../../support/table.ts';

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const WORDS = ['harbour', 'harbours', 'hard', 'ha', 'invoice', 'in', 'zürich', '日本', 'ж', 'q1', '2026'];
const TERMS = ['ha', 'har', 'harbour', 'harbours', 'i', 'inv', 'z', '日', '2', 'x', 'q1'];

interface Given {
  id: string;
  moment: number;
  words: string[];
}

describe('an index of texts', { timeout: 300_000 }, () => {
  let table: Table;
  let stop: () => void;
  let now = Date.parse('2026-11-26T10:00:00Z');
  beforeAll(async () => {
    ({ table, stop } = await startTable());
  });
  afterAll(() => stop());

  const ctx = () => ({ table, clock: () => new Date(now) });
  const add = async (owner: string, all: Given[]) => {
    for (const { id, moment, words } of all)
      await table.transact([addDoc(owner, { id, moment, ref: `ref ${id}` }, words)]);
  };
  const restore = async (owner: string, all: Given[]) => {
    for (const { id, moment, words } of all)
      await table.transact(restoreDoc(owner, { id, moment, ref: `ref ${id}` }, words));
  };
  const write = async (owner: string, all: Given[], replaces: boolean) => {
    for (const { id, moment, words } of all)
      await table.transact([stateDoc(owner, { id, moment, ref: `ref ${id}` }, words, { replaces })]);
  };
  const find = async (owner: string, terms: string[][]) => {
    const found: { id: string; moment: number }[] = [];
    const index = await openIndex(table, owner);
    const { docs } = await findDocs(table, index, { terms, now: new Date(now) });
    for await (const { id, moment } of docs) found.push({ id, moment });
    return found;
  };
  /**
   * One that was taken out may be found until the index is sorted, and earlier states of one that changed until segments become
   * one: whoever reads it sees that.
   */
  const current = async (owner: string, all: Given[], terms: string[][]) => {
    const found = await find(owner, terms);
    const byId = new Map(all.map((each) => [each.id, each]));
    const now = found.flatMap(({ id, moment }) => {
      const given = byId.get(id);
      return given?.moment === moment && naive([given], terms).length > 0 ? [id] : [];
    });
    return [...new Set(now)];
  };
  const naive = (all: Given[], terms: string[][]) =>
    all
      .filter(({ words }) =>
        terms.every((some) => some.some((term) => words.some((word) => word.startsWith(term)))),
      )
      .toSorted((a, b) => b.moment - a.moment || (a.id > b.id ? -1 : 1))
      .map(({ id }) => id);

  longIt(`finds what a naive search finds, wherever its worker dies (seed ${SEED})`, async () => {
    const dice = new Dice(SEED);
    for (let round = 0; round < reduced(8); round++) {
      const owner = crypto.randomUUID();
      const all: Given[] = [];
      const removed: Given[] = [];
      const changes = dice.chance(50);
      for (let step = 0; step < 24; step++) {
        const back = dice.chance(20) ? removed.splice(0, 2) : [];
        const some = Array.from({ length: dice.int(1, 12) }, () => ({
          id: crypto.randomUUID(),
          moment: dice.int(0, 30),
          words: [...new Set(Array.from({ length: dice.int(1, 5) }, () => dice.pick(WORDS)))],
        }));
        await (changes ? write(owner, back, false) : restore(owner, back));
        await (changes ? write(owner, some, false) : add(owner, some));
        all.push(...back, ...some);
        for (const each of changes ? dice.some(all).slice(0, 4) : []) {
          const { words } = dice.pick(all);
          Object.assign(each, { moment: dice.int(0, 30), words });
          await write(owner, [each], true);
        }
        if (all.length > 0 && dice.chance(40)) {
          const gone = dice.some(all).slice(0, 5);
          for (const { id } of gone) await table.transact(removeDoc(owner, id));
          for (const each of gone) all.splice(all.indexOf(each), 1);
          removed.push(...gone);
        }
        const death = dice.chance(40) ? crashAfter(table, dice.int(1, 30)) : undefined;
        await sortIndex(ctx(), owner, { timeIsUp: () => dice.chance(10), enough: dice.int(1, 20) }).catch(
          () => {},
        );
        death?.remove();
        now += dice.int(0, 90_000);
        if (step % 5 !== 0) continue;
        const terms = Array.from({ length: dice.int(1, 2) }, () => [
          dice.pick(TERMS),
          ...(dice.chance(20) ? [dice.pick(TERMS)] : []),
        ]);
        expect(await current(owner, all, terms), JSON.stringify(terms)).toEqual(naive(all, terms));
      }
      now += 100_000;
      await sortIndex(ctx(), owner, { timeIsUp: () => false, enough: 1 });
      await sortIndex(ctx(), owner, { timeIsUp: () => false, enough: 1 });
      for (const term of TERMS) expect(await current(owner, all, [[term]])).toEqual(naive(all, [[term]]));
      for (const rest of ['LOG#', 'GONE#'])
        expect(await table.all(keys.textIndex(owner).PK, rest)).toEqual([]);
      const state = await findState(table, owner);
      const segments = new Set(
        (await table.all<{ PK: string; SK: string }>(keys.textIndex(owner).PK, 'SEGMENT#')).map(
          ({ SK }) => SK.split('#')[1],
        ),
      );
      const known = [...(state?.segments ?? []), ...(state?.retired ?? [])].map(({ id }) => id);
      expect([...segments].filter((id) => !known.includes(id as string))).toEqual([]);
    }
  });

  it('forgets earlier states when there are as many as it is worth', async () => {
    const owner = crypto.randomUUID();
    const all = Array.from({ length: 70 }, (_, i) => ({ id: `doc${i}`, moment: i, words: ['before'] }));
    await write(owner, all, false);
    await sortIndex(ctx(), owner, { timeIsUp: () => false });
    expect(await find(owner, [['before']])).toHaveLength(70);
    await write(
      owner,
      all.map((each) => ({ ...each, moment: each.moment - 100, words: ['after'] })),
      true,
    );
    const death = crashAfter(table, 12);
    await sortIndex(ctx(), owner, { timeIsUp: () => false }).catch(() => {});
    death.remove();
    await sortIndex(ctx(), owner, { timeIsUp: () => false });
    expect(await find(owner, [['before']])).toEqual([]);
    expect((await find(owner, [['after']])).map(({ moment }) => moment)).toEqual(
      all.map(({ moment }) => moment - 100).reverse(),
    );
    expect(await table.all(keys.textStale(owner).PK, 'STALE#')).toEqual([]);
  });

  it('is requested once by a transaction that changes several documents', async () => {
    const index = crypto.randomUUID();
    await table.transact([sortSoon(index), sortSoon(index), sortSoon(index)]);
    const jobs = await openJobs<SortJob>(table, 'sort-texts');
    expect(jobs.filter(({ body }) => body.sorted_index_id === index)).toMatchObject([{ version: 3 }]);
  });

  longIt('sorts a few documents of very many words, which a search would read one by one', async () => {
    const owner = crypto.randomUUID();
    const many = (i: number) => Array.from({ length: 7_000 }, (_, n) => `word${n}of${i}`);
    for (let i = 0; i < 20; i++) await add(owner, [{ id: `doc${i}`, moment: i, words: many(i) }]);
    await sortIndex(ctx(), owner, { timeIsUp: () => false });
    expect((await findState(table, owner))?.segments).toHaveLength(1);
    expect((await table.all(keys.textIndex(owner).PK, 'LOG#')).length).toBeLessThan(20);
    const ids = async (terms: string[][]) => (await find(owner, terms)).map(({ id }) => id);
    expect(await ids([['word6999of']])).toEqual(Array.from({ length: 20 }, (_, i) => `doc${19 - i}`));
    expect(await ids([['word12of7'], ['word13']])).toEqual(['doc7']);
  });
});
