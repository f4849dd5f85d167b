import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  at,
  ConditionFailed,
  type Item,
  type Table,
  type Update,
  unlessThere,
  update,
} from '#shared/table/table.ts';
import { longIt } from '../support/long.ts';
import { freshKey, givenItem, startTable } from '../support/table.ts';

/** Most of these names are reserved words of DynamoDB. */
type Row = Item & {
  count?: number;
  size?: number;
  name?: string | null;
  status?: 'new' | 'old';
  values?: Set<string>;
  group?: Set<string>;
  items?: string[];
  user?: Record<string, string>;
  map?: Record<string, { level: number; text?: string; deep?: Record<string, number> }>;
};
type Stored = Omit<Row, 'PK' | 'SK'>;

const full: Stored = {
  count: 5,
  name: 'Ada',
  status: 'new',
  values: new Set(['a', 'b']),
  items: ['x', 'y'],
  user: { ada: 'view', 'a.b': 'edit' },
  map: { home: { level: 1, text: 'Home', deep: { one: 1 } } },
};
const without = (...names: (keyof Stored)[]) =>
  Object.fromEntries(Object.entries(full).filter(([name]) => !names.includes(name as keyof Stored)));

const cases: [string, Update<Row>, Stored][] = [
  ['set a value', { set: { name: 'Grace' } }, { ...full, name: 'Grace' }],
  ['set null', { set: { name: null } }, { ...full, name: null }],
  ['set what was not there', { set: { size: 0 } }, { ...full, size: 0 }],
  ['set a set', { set: { values: new Set(['z']) } }, { ...full, values: new Set(['z']) }],
  ['set a list', { set: { items: [] } }, { ...full, items: [] }],
  ['set a map', { set: { user: {} } }, { ...full, user: {} }],
  ['set several', { set: { name: 'Grace', count: 1 } }, { ...full, name: 'Grace', count: 1 }],
  ['set undefined: nothing', { set: { name: undefined, count: 1 } }, { ...full, count: 1 }],
  ['set an entry', { set: { user: at('linus', 'own') } }, { ...full, user: { ...full.user, linus: 'own' } }],
  [
    'set an entry that is there',
    { set: { user: at('ada', 'edit') } },
    { ...full, user: { ada: 'edit', 'a.b': 'edit' } },
  ],
  [
    'set an entry with a dot',
    { set: { user: at('a.b', 'own') } },
    { ...full, user: { ada: 'view', 'a.b': 'own' } },
  ],
  [
    'set a place in an entry',
    { set: { map: at('home', at('level', 2)) } },
    { ...full, map: { home: { level: 2, text: 'Home', deep: { one: 1 } } } },
  ],
  [
    'set a place in a place in an entry',
    { set: { map: at('home', at('deep', at('two', 2))) } },
    { ...full, map: { home: { level: 1, text: 'Home', deep: { one: 1, two: 2 } } } },
  ],
  ['set unless there, and it is', { set: { name: unlessThere('Grace') } }, full],
  ['set unless there, and it is not', { set: { size: unlessThere(3) } }, { ...full, size: 3 }],
  ['add to a number', { add: { count: 2 } }, { ...full, count: 7 }],
  ['add less than nothing', { add: { count: -6 } }, { ...full, count: -1 }],
  ['add to no number', { add: { size: 2 } }, { ...full, size: 2 }],
  ['add members', { add: { values: new Set(['b', 'c']) } }, { ...full, values: new Set(['a', 'b', 'c']) }],
  ['add members to no set', { add: { group: new Set(['g']) } }, { ...full, group: new Set(['g']) }],
  ['add undefined: nothing', { add: { group: undefined, count: 1 } }, { ...full, count: 6 }],
  ['take members', { take: { values: new Set(['a', 'x']) } }, { ...full, values: new Set(['b']) }],
  ['take all members: no set', { take: { values: new Set(['a', 'b']) } }, without('values')],
  ['take from no set', { take: { group: new Set(['a']) } }, full],
  ['take undefined: nothing', { take: { values: undefined }, add: { count: 1 } }, { ...full, count: 6 }],
  ['remove', { remove: ['name', 'user', 'size'] }, without('name', 'user')],
  ['remove an entry', { remove: [['user', 'ada']] }, { ...full, user: { 'a.b': 'edit' } }],
  ['remove an entry with a dot', { remove: [['user', 'a.b']] }, { ...full, user: { ada: 'view' } }],
  ['remove an entry that is not there', { remove: [['user', 'b']] }, full],
  ['remove nothing of several', { remove: [], set: { size: 1 } }, { ...full, size: 1 }],
  [
    'everything at once, where it holds',
    {
      set: { name: 'Grace', map: at('work', { level: 3 }) },
      add: { count: 1, group: new Set(['g']) },
      take: { values: new Set(['a']) },
      remove: ['items', ['user', 'ada']],
      when: { count: 5, user: at('ada', 'view'), status: 'new' },
    },
    {
      ...without('items'),
      name: 'Grace',
      map: { ...full.map, work: { level: 3 } },
      count: 6,
      group: new Set(['g']),
      values: new Set(['b']),
      user: { 'a.b': 'edit' },
    },
  ],
];

describe('an update', () => {
  let table: Table;
  let stop: () => void;
  beforeAll(async () => {
    ({ table, stop } = await startTable());
  });
  afterAll(() => stop());

  const given = (item: Stored = full) => givenItem(table, item);

  longIt.each(cases)('%s', async (_, change, after) => {
    const [key, other] = [await given(), await given()];
    expect(await table.update<Row>(key, change)).toEqual({ ...key, ...after });
    expect(await table.get(key)).toEqual({ ...key, ...after });
    await table.transact([update<Row>(other, change)]);
    expect(await table.get(other)).toEqual({ ...other, ...after });
  });

  it('creates a missing item', async () => {
    const key = freshKey();
    const change: Update<Row> = {
      set: { name: unlessThere('Ada') },
      add: { count: 1, values: new Set(['a']) },
    };
    const made = { ...key, name: 'Ada', count: 1, values: new Set(['a']) };
    expect(await table.update<Row>(key, change)).toEqual(made);
    expect(await table.get(key)).toEqual(made);
  });

  it('whose condition fails changes nothing', async () => {
    const key = await given();
    const change: Update<Row> = {
      set: { name: 'Grace' },
      add: { count: 1 },
      remove: ['items'],
      when: { count: 6 },
    };
    await expect(table.update<Row>(key, change)).rejects.toThrow(ConditionFailed);
    await expect(table.transact([{ put: freshKey() }, update<Row>(key, change)])).rejects.toThrow(
      ConditionFailed,
    );
    expect(await table.get(key)).toEqual({ ...key, ...full });
  });

  it('of an entry of a missing map is refused', async () => {
    const key = await given(without('user'));
    await expect(table.update<Row>(key, { set: { user: at('ada', 'view') } })).rejects.toThrow(/path/);
    expect(await table.get(key)).toEqual({ ...key, ...without('user') });
  });

  it('without any change is refused', async () => {
    const key = await given();
    await expect(table.update<Row>(key, { set: { name: undefined } })).rejects.toThrow(/empty/);
    await expect(table.update<Row>(key, { remove: [], when: { name: 'Ada' } })).rejects.toThrow(/empty/);
    const nothing = update<Row>(key, { set: { name: undefined }, add: { count: undefined } });
    await expect(table.transact([nothing])).rejects.toThrow('An update is empty');
    expect(await table.get(key)).toEqual({ ...key, ...full });
  });

  it('returns the requested attributes', async () => {
    const key = await given();
    expect(await table.update<Row>(key, { set: { count: 6 } }, 'NONE')).toBeUndefined();
    expect(await table.update<Row>(key, { set: { count: 7 } }, 'UPDATED_OLD')).toEqual({ count: 6 });
    expect(await table.update<Row>(key, { set: { count: 8 } }, 'ALL_OLD')).toEqual({
      ...key,
      ...full,
      count: 7,
    });
  });

  describe('of any parts', () => {
    /** Reserved words, and names that are no words at all. */
    const numbers = ['count', 'a-b', 'a.b'];
    const sets = ['values', ':v', '#s'];
    const maps = ['map', 'a b'];
    const texts = ['name', 'é'];
    type Any = Item & Record<string, unknown>;
    type Part = { apply: (item: Record<string, unknown>) => void } & Pick<
      Update<Any>,
      'set' | 'add' | 'take' | 'remove'
    >;

    const member = fc.constantFrom('a', 'b', 'c');
    const members = fc.uniqueArray(member, { minLength: 1 }).map((each) => new Set(each));
    const put = (name: string, value: unknown): Part => ({
      set: { [name]: value },
      apply: (item) => {
        item[name] = value;
      },
    });
    const drop = (name: string): Part => ({ remove: [name], apply: (item) => delete item[name] });
    const initial = (name: string, value: unknown): Part => ({
      set: { [name]: unlessThere(value) },
      apply: (item) => {
        item[name] ??= value;
      },
    });
    const ofNumber = (name: string, value: number): Part[] => [
      put(name, value),
      drop(name),
      initial(name, value),
      {
        add: { [name]: value } as never,
        apply: (item) => {
          item[name] = ((item[name] as number | undefined) ?? 0) + value;
        },
      },
    ];
    const ofSet = (name: string, value: Set<string>): Part[] => [
      put(name, value),
      drop(name),
      {
        add: { [name]: value } as never,
        apply: (item) => {
          item[name] = new Set([...((item[name] as Set<string> | undefined) ?? []), ...value]);
        },
      },
      {
        take: { [name]: value } as never,
        apply: (item) => {
          const left = [...((item[name] as Set<string> | undefined) ?? [])].filter(
            (each) => !value.has(each),
          );
          if (left.length > 0) item[name] = new Set(left);
          else delete item[name];
        },
      },
    ];
    const ofMap = (name: string, entry: string, value: number): Part[] => [
      put(name, { [entry]: value }),
      {
        set: { [name]: at(entry, value) },
        apply: (item) => {
          item[name] = { ...(item[name] as object), [entry]: value };
        },
      },
      {
        remove: [[name, entry]],
        apply: (item) => {
          const { [entry]: _, ...rest } = item[name] as Record<string, unknown>;
          item[name] = rest;
        },
      },
    ];
    const one = (parts: Part[]) => fc.constantFrom(...parts);
    const small = fc.integer({ min: -5, max: 5 });
    const touching = fc.tuple(
      ...numbers.map((name) => fc.option(small.chain((value) => one(ofNumber(name, value))))),
      ...sets.map((name) => fc.option(members.chain((value) => one(ofSet(name, value))))),
      ...maps.map((name) =>
        fc.option(
          fc
            .tuple(fc.constantFrom('x', 'y.z', '#0'), small)
            .chain(([entry, value]) => one(ofMap(name, entry, value))),
        ),
      ),
      ...texts.map((name) =>
        fc.option(fc.string().chain((value) => one([put(name, value), initial(name, value), drop(name)]))),
      ),
    );
    const partsOf = (chosen: (Part | null)[]) => chosen.filter((part) => part !== null);
    const togetherOf = (parts: Part[]): Update<Any> => ({
      set: Object.assign({}, ...parts.map((part) => part.set)),
      add: Object.assign({}, ...parts.map((part) => part.add)),
      take: Object.assign({}, ...parts.map((part) => part.take)),
      remove: parts.flatMap((part) => part.remove ?? []),
    });

    it('applies them all, one update after the other', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(touching, { minLength: 1, maxLength: 6 }), async (steps) => {
          const key = freshKey();
          const model: Record<string, unknown> = { ...key, map: {}, 'a b': {} };
          await table.put({ ...key, ...model });
          for (const parts of steps.map(partsOf).filter(({ length }) => length > 0)) {
            for (const { apply } of parts) apply(model);
            expect(await table.update<Any>(key, togetherOf(parts))).toEqual(model);
          }
          expect(await table.get(key)).toEqual(model);
        }),
        { numRuns: 25 },
      );
    });
  });
});
