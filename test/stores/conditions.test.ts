import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Key } from '#shared/table/keys.ts';
import {
  type AllOf,
  above,
  among,
  asRead,
  at,
  atLeast,
  atMost,
  below,
  both,
  type Condition,
  ConditionFailed,
  containing,
  either,
  every,
  exactly,
  type Item,
  missing,
  mustExist,
  mustNotExist,
  not,
  present,
  sized,
  type Table,
  update,
  when,
} from '#shared/table/table.ts';
import { longIt } from '../support/long.ts';
import { freshKey, givenItem, startTable } from '../support/table.ts';

/** Names that DynamoDB reserves (ReservedWords.html of its guide), and some that its expressions take apart. */
const NAMES = [
  'name',
  'status',
  'size',
  'items',
  'order',
  'value',
  'user',
  'a-b',
  'a.b',
  'a b',
  '#a',
  ':a',
  '0',
  'é',
];

type Row = Item & {
  count?: number;
  text?: string | null;
  status?: 'new' | 'old' | 'gone';
  flag?: boolean;
  tags?: Set<string>;
  parts?: string[];
  size?: Record<string, 'view' | 'edit'>;
  places?: Record<string, { level: number; name?: string; names?: string[] }>;
  absent?: string;
  absent_map?: Record<string, string>;
};

const row: Omit<Row, 'PK' | 'SK'> = {
  count: 5,
  text: 'middle',
  status: 'new',
  flag: false,
  tags: new Set(['red', 'blue']),
  parts: ['one', 'two', 'three'],
  size: { ada: 'view', 'a.b': 'edit' },
  places: { home: { level: 2, name: 'Home', names: ['a', 'b'] } },
};

const holding: [string, AllOf<Row>][] = [
  ['nothing is asked of others', { count: 5 }],
  ['a text', { text: 'middle' }],
  ['one of the literals', { status: 'new' }],
  ['false', { flag: false }],
  ['a set, in any order', { tags: new Set(['blue', 'red']) }],
  ['a list', { parts: ['one', 'two', 'three'] }],
  ['a map', { size: { 'a.b': 'edit', ada: 'view' } }],
  ['all of several', { count: 5, text: 'middle', flag: false }],
  ['present', { flag: present, tags: present, size: present }],
  ['missing', { absent: missing }],
  ['below', { count: below(6), text: below('middlf') }],
  ['at most', { count: atMost(5), text: atMost('middle') }],
  ['above', { count: above(4), text: above('middl') }],
  ['at least', { count: atLeast(5), text: atLeast('middle') }],
  ['exactly', { count: exactly(5), status: exactly('new') }],
  ['not', { count: not(4), status: not('old') }],
  ['not, where nothing is', { absent: not('x') }],
  ['among', { count: among(1, 5), status: among('gone', 'new') }],
  ['among one', { count: among(5) }],
  ['among a hundred', { count: among(...Array.from({ length: 100 }, (_, i) => i)) }],
  ['a set that contains', { tags: containing('red') }],
  ['a list that contains', { parts: containing('two') }],
  ['a text that contains', { text: containing('idd') }],
  ['a set of a size', { tags: sized(2) }],
  ['a list of a size', { parts: sized(above(2)) }],
  ['a map of a size', { size: sized(atMost(2)), places: sized(1) }],
  ['either, the first', { count: either(below(6), above(100)) }],
  ['either, the last', { absent: either(exactly('x'), missing) }],
  ['both', { count: both<number>(above(4), below(6)) }],
  ['both with a value', { text: both<string>(containing('m'), 'middle') }],
  ['both of places', { size: both<NonNullable<Row['size']>>(at('ada', 'view'), at('linus', missing)) }],
  ['either within both', { count: both<number>(either(below(1), above(4)), not(6)) }],
  ['both within either', { count: either(both<number>(below(1), above(0)), exactly(5)) }],
  ['as read, when it was there', { count: asRead(row.count) }],
  ['as read, when it was not', { absent: asRead(undefined as string | undefined) }],
  ['an entry of a map', { size: at('ada', 'view') }],
  ['an entry with a dot in its name', { size: at('a.b', 'edit') }],
  ['an entry that is present', { size: at('ada', present) }],
  ['an entry that is missing', { size: at('linus', missing) }],
  ['an entry of a map that is missing', { absent_map: at('x', missing) }],
  ['a place in an entry', { places: at('home', at('level', 2)) }],
  ['a test of a place in an entry', { places: at('home', at('level', atMost(2))) }],
  ['a size in an entry', { places: at('home', at('names', sized(2))) }],
  ['a missing place in an entry', { places: at('work', at('level', missing)) }],
];

const failing: [string, AllOf<Row>][] = [
  ['another number', { count: 6 }],
  ['another text', { text: 'Middle' }],
  ['null for a text', { text: null }],
  ['true', { flag: true }],
  ['fewer members', { tags: new Set(['blue']) }],
  ['another order of a list', { parts: ['two', 'one', 'three'] }],
  ['more entries', { size: { ada: 'view', 'a.b': 'edit', c: 'edit' } }],
  ['one of several', { count: 5, text: 'other', flag: false }],
  ['the last of several', { count: 5, absent: present }],
  ['present', { absent: present }],
  ['missing', { flag: missing }],
  ['missing, where null is', { text: missing }],
  ['below', { count: below(5) }],
  ['below a text', { text: below('middle') }],
  ['at most', { count: atMost(4) }],
  ['above', { count: above(5) }],
  ['at least', { count: atLeast(6) }],
  ['any comparison with what is not there', { absent: below('x') }],
  ['not below what is not there', { absent: atLeast('') }],
  ['not', { count: not(5) }],
  ['among', { status: among('old', 'gone') }],
  ['among, where nothing is', { absent: among('x') }],
  ['containing', { tags: containing('r') }],
  ['containing, of a list', { parts: containing('on') }],
  ['containing, of a text', { text: containing('x') }],
  ['containing, where nothing is', { absent: containing('x') }],
  ['size', { tags: sized(3) }],
  ['size, compared', { parts: sized(below(3)) }],
  ['no size, where nothing is', { absent_map: sized(0) }],
  ['either', { count: either(below(5), above(5)) }],
  ['both, the first', { count: both<number>(above(5), below(6)) }],
  ['both, the last', { count: both<number>(above(4), below(5)) }],
  ['as read, changed', { count: asRead(4) }],
  ['as read, there now', { flag: asRead(undefined as boolean | undefined) }],
  ['an entry', { size: at('ada', 'edit') }],
  ['the path that a dot in a name would be', { size: at('a', present) }],
  ['a place in an entry', { places: at('home', at('level', above(2))) }],
  ['a place in an entry that is not there', { places: at('work', at('level', 2)) }],
];

describe('a condition', () => {
  let table: Table;
  let stop: () => void;
  beforeAll(async () => {
    ({ table, stop } = await startTable());
  });
  afterAll(() => stop());

  const given = (item: object = row) => givenItem(table, item);
  const held = (work: Promise<unknown>) =>
    work.then(
      () => true,
      (error: unknown) => {
        if (error instanceof ConditionFailed) return false;
        throw error;
      },
    );
  /** Whether it holds for the item, in a filter and in a write. */
  async function holds(wanted: Condition, item: object = row): Promise<boolean> {
    const key = await given(item);
    const [{ items }, checked] = await Promise.all([
      table.query({ partition: key.PK, filter: wanted, limit: 1 }),
      held(table.transact([{ check: key, when: wanted }])),
    ]);
    expect(items.length === 1).toBe(checked);
    return checked;
  }

  it.each(holding)('holds: %s', async (_, wanted) => {
    expect(await holds(when<Row>(wanted))).toBe(true);
  });

  it.each(failing)('fails: %s', async (_, wanted) => {
    expect(await holds(when<Row>(wanted))).toBe(false);
  });

  it('applies to every kind of write', async () => {
    const writes: [string, (key: Key, wanted: Condition) => Promise<unknown>][] = [
      ['put', (key, wanted) => table.put({ ...key, count: 9 }, wanted)],
      ['update', (key, wanted) => table.update<Row>(key, { set: { count: 9 }, when: wanted })],
      ['delete', (key, wanted) => table.delete(key, wanted)],
      ['put together', (key, wanted) => table.transact([{ put: { ...key, count: 9 }, when: wanted }])],
      [
        'update together',
        (key, wanted) => table.transact([update<Row>(key, { set: { count: 9 }, when: wanted })]),
      ],
      ['delete together', (key, wanted) => table.transact([{ delete: key, when: wanted }])],
    ];
    for (const [title, write] of writes)
      for (const count of [5, 6]) {
        const key = await given();
        expect([title, count, await held(write(key, when<Row>({ count })))]).toEqual([
          title,
          count,
          count === 5,
        ]);
        expect((await table.get<Row>(key))?.count === 5).toBe(count === 6);
      }
  });

  it('of several cases holds when one of them does', async () => {
    const no: AllOf<Row> = { count: 5, text: 'other' };
    const yes: AllOf<Row> = { count: 5, text: 'middle' };
    for (const [cases, response] of [
      [[yes, no], true],
      [[no, yes], true],
      [[no, no, yes], true],
      [[no, no], false],
    ] as const) {
      expect(await holds(when<Row>(...cases))).toBe(response);
      const key = await given();
      expect(await held(table.update<Row>(key, { set: { count: 6 }, when: cases }))).toBe(response);
    }
  });

  it('of every one holds when all of them do, each with its cases', async () => {
    const one = when<Row>({ count: 4 }, { count: 5 });
    const two = when<Row>({ text: 'middle' }, { flag: true });
    const three = when<Row>({ count: 6 }, { text: 'other' });
    expect(await holds(every(one, two))).toBe(true);
    expect(await holds(every(one, three))).toBe(false);
    expect(await holds(every(three, one))).toBe(false);
  });

  it('that an item exists, or does not', async () => {
    const [there, gone] = [await given(), freshKey()];
    for (const [key, exists] of [
      [there, true],
      [gone, false],
    ] as const) {
      expect(await held(table.transact([{ check: key, when: mustExist }]))).toBe(exists);
      expect(await held(table.transact([{ check: key, when: mustNotExist }]))).toBe(!exists);
    }
  });

  it('on a missing item fails like one on a missing attribute', async () => {
    for (const [wanted, response] of [
      [{ count: 5 }, false],
      [{ count: missing }, true],
      [{ count: not(5) }, true],
      [{ size: at('ada', missing) }, true],
    ] as [AllOf<Row>, boolean][])
      expect(await held(table.transact([{ check: freshKey(), when: when<Row>(wanted) }]))).toBe(response);
  });

  it.each(NAMES)('takes any name of an attribute, and of a place: %s', async (name) => {
    const item = { [name]: { [name]: 1 } };
    const wanted = (level: number) => when<Item & Record<string, object>>({ [name]: at(name, level) });
    expect(await holds(wanted(1), item)).toBe(true);
    expect(await holds(wanted(2), item)).toBe(false);
  });

  it('that fails returns the existing item', async () => {
    const key = await given();
    const attempts = [
      () => table.put(key, when<Row>({ count: 6 })),
      () => table.update<Row>(key, { set: { count: 7 }, when: { count: 6 } }),
      () => table.delete(key, when<Row>({ count: 6 })),
    ];
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({ item: { ...key, ...row } });
  });

  it.each([
    ['an attribute', { count: undefined }],
    ['one of several', { text: 'middle', count: undefined }],
    ['a place', { size: at('ada', undefined) }],
    ['a place in a place', { places: at('home', at('level', undefined)) }],
  ] as unknown as [string, AllOf<Row>][])(
    'that is empty in %s is an error, and nothing is written',
    async (_, wanted) => {
      const key = await given();
      const nothing = /says nothing/;
      await expect(table.update<Row>(key, { set: { count: 9 }, when: wanted })).rejects.toThrow(nothing);
      await expect(table.put({ ...key, count: 9 }, when<Row>(wanted))).rejects.toThrow(nothing);
      await expect(table.delete(key, when<Row>(wanted))).rejects.toThrow(nothing);
      await expect(
        table.transact([{ put: freshKey() }, { check: key, when: when<Row>(wanted) }]),
      ).rejects.toThrow(nothing);
      await expect(table.query<Row>({ partition: key.PK, filter: wanted, limit: 1 })).rejects.toThrow(
        nothing,
      );
      expect(await table.get(key)).toEqual({ ...key, ...row });
    },
  );

  it.each([
    ['no attribute', {}],
    ['no case', []],
  ])('of %s is refused, and nothing is written', async (_, wanted) => {
    const key = await given();
    await expect(table.update<Row>(key, { set: { count: 9 }, when: wanted })).rejects.toThrow(/empty/);
    expect(await table.get(key)).toEqual({ ...key, ...row });
  });

  longIt('compares numbers by size and texts by their bytes', async () => {
    const tests = { below, atMost, above, atLeast, exactly, not };
    const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    const expected: Record<keyof typeof tests, (order: number) => boolean> = {
      below: (order) => order < 0,
      atMost: (order) => order <= 0,
      above: (order) => order > 0,
      atLeast: (order) => order >= 0,
      exactly: (order) => order === 0,
      not: (order) => order !== 0,
    };
    const names = Object.keys(tests) as (keyof typeof tests)[];
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'Z', 'é', '\uffff', '🦕'), maxLength: 3 });
    const hundredths = fc.integer({ min: -1e9, max: 1e9 }).map((value) => value / 100);
    const number = fc.oneof(fc.integer({ min: -3, max: 3 }), hundredths);
    const pair = fc.oneof(fc.tuple(text, text), fc.tuple(number, number));
    const rows = Array.from({ length: 30 }, (_, i) => `${i}`.padStart(3, '0'));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        pair,
        fc.array(pair),
        async (name, [bound, one], others) => {
          const { PK } = freshKey();
          const values = [one, bound, ...others.flat()].filter((value) => typeof value === typeof bound);
          const stored = values
            .slice(0, rows.length)
            .map((value, i) => ({ PK, SK: rows[i] as string, value }));
          await table.writeMany(stored.map((put) => ({ put })));
          const filter = when<Item & { value: string }>({ value: tests[name](bound as string) });
          const { items } = await table.query({ partition: PK, filter, limit: rows.length });
          const order = (value: string | number) =>
            typeof value === 'string' ? bytes(value, bound as string) : value - (bound as number);
          const kept = stored.filter(({ value }) => expected[name](order(value)));
          expect(items.map(({ SK }) => SK)).toEqual(kept.map(({ SK }) => SK));
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a query', () => {
  let table: Table;
  let stop: () => void;
  beforeAll(async () => {
    ({ table, stop } = await startTable());
    await table.writeMany(sorts.map((SK) => ({ put: { PK: 'a', SK, list: 'all', rank: `r${SK}` } })));
    await table.put({ PK: 'b', SK: 'k2' });
  });
  afterAll(() => stop());

  const sorts = ['k1', 'k2', 'k20', 'k3', 'm1'];
  it.each([
    ['all', undefined, sorts],
    ['those that begin so', { begins: 'k2' }, ['k2', 'k20']],
    ['those between two', { from: 'k2', to: 'k3' }, ['k2', 'k20', 'k3']],
    ['those between two that are not there', { from: 'k', to: 'k2a' }, ['k1', 'k2', 'k20']],
    ['those before one', { before: 'k20' }, ['k1', 'k2']],
    ['none', { before: 'a' }, []],
  ])('of a partition reads %s', async (_, sort, expected) => {
    const { items } = await table.query({ partition: 'a', sort, limit: 10 });
    expect(items.map(({ SK }) => SK)).toEqual(expected);
    expect(await table.count({ partition: 'a', sort })).toBe(expected.length);
  });

  it('of an index reads by its own attributes', async () => {
    const { items } = await table.query({
      index: 'by_rank',
      partition: 'all',
      sort: { begins: 'rk2' },
      limit: 10,
    });
    expect(items.map(({ SK }) => SK)).toEqual(['k2', 'k20']);
  });
});
