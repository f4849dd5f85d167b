import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../../support/accounts.ts';
import { bringAll, givenField, keepers, options } from '../../../support/custom-fields.ts';
import { codeOf, problemsOf } from '../../../support/failures.ts';
import { raw } from '../../../support/raw.ts';
import { countRequestTrips } from '../../../support/round-trips.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

const types = ['contacts', 'organizations', 'deals'] as const;

const defined = {
  ...{ text: {}, number: {}, boolean: {}, date: {} },
  select: { options: options('a', 'b', 'c') },
  multi_select: { options: options('x', 'y', 'z') },
};

/** Named by what they have. */
const records: [name: string, values: object][] = [
  [
    'one',
    { text: 'Émile, Zola', number: -2, boolean: true, date: '2027-03-01', select: 'a', multi_select: ['x'] },
  ],
  [
    'two',
    { text: 'emil', number: 10, boolean: false, date: '2026-12-31', select: 'b', multi_select: ['x', 'y'] },
  ],
  ['three', { text: 'Zoe', number: 9.5, select: 'a', multi_select: [] }],
  ['none', {}],
];

describe('lists by custom fields', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [ada, grace] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    // Half of the records are from before the fields.
    for (const type of types) await createAll(type, records.slice(0, 2));
    for (const record_type of types)
      for (const [type, more] of Object.entries(defined))
        await givenField(ada, type, { record_type, type: type as never, ...more, indexed: true });
    await givenField(ada, 'free', {});
    await bringAll(workspace, ada);
    for (const type of types) await createAll(type, records.slice(2));
    for (const type of types)
      await keepers[type].create(grace, {
        name: 'hidden',
        visibility: 'private',
        custom_fields: records[0]?.[1],
      });
  });
  afterAll(() => workspace.stop());

  const createAll = async (type: (typeof types)[number], some: typeof records) => {
    for (const [name, custom_fields] of some) await keepers[type].create(ada, { name, custom_fields });
  };
  const asCall = (call: Promise<unknown>) => call.then(() => ({ status: 200 }));
  const names = async (type: (typeof types)[number], query: object, user = ada) =>
    (await keepers[type].list(user, query)).records.map(({ name }) => name);

  const filters: [custom_fields: object, names: string[]][] = [
    [{ text: 'Émile, Zola' }, ['one']],
    [{ text: 'emile, zola' }, []],
    [{ number: '10' }, ['two']],
    [{ number: '10.0,-2' }, ['one', 'two']],
    [{ boolean: 'false' }, ['two']],
    [{ boolean: 'false,true' }, ['one', 'two']],
    [{ date: '2027-03-01, 2026-12-31' }, ['one', 'two']],
    [{ select: 'a' }, ['one', 'three']],
    [{ select: 'a,b,gone' }, ['one', 'two', 'three']],
    [{ multi_select: 'y' }, ['two']],
    [{ multi_select: 'x,z' }, ['one', 'two']],
    [{ select: 'a', multi_select: 'x' }, ['one']],
    [{ select: 'c' }, []],
  ];

  it.each(types)(
    '%s: filters keep records with any of the values, in all orders, and count them',
    async (type) => {
      for (const [custom_fields, wanted] of filters) {
        for (const sort of ['name', 'updated_at', 'custom_fields.number', 'custom_fields.text'])
          expect(
            (await names(type, { custom_fields, sort })).sort(),
            JSON.stringify([custom_fields, sort]),
          ).toEqual(wanted.toSorted());
        expect(await keepers[type].count(ada, { custom_fields })).toMatchObject({
          total: wanted.length,
          exact: true,
        });
      }
      expect((await names(type, { custom_fields: { select: 'a' } }, grace)).sort()).toEqual([
        'hidden',
        'one',
        'three',
      ]);
      expect(
        await keepers[type].count(grace, { custom_fields: { select: 'a' }, slice: 'mine' }),
      ).toMatchObject({ total: 1 });
    },
  );

  const orders: [field: string, asc: string[], desc: string[]][] = [
    ['text', ['two', 'one', 'three', 'none'], ['three', 'one', 'two', 'none']],
    ['number', ['one', 'three', 'two', 'none'], ['two', 'three', 'one', 'none']],
    ['boolean', ['two', 'one', 'none', 'three'], ['one', 'two', 'none', 'three']],
    ['date', ['two', 'one', 'none', 'three'], ['one', 'two', 'none', 'three']],
    ['select', ['one', 'three', 'two', 'none'], ['two', 'one', 'three', 'none']],
  ];

  it.each(types)('%s: sorted, those without a value last in both orders', async (type) => {
    for (const [field, ...both] of orders)
      for (const [i, order] of (['asc', 'desc'] as const).entries()) {
        const found = await names(type, { sort: `custom_fields.${field}`, order });
        const wanted = both[i] as string[];
        const valued = wanted.filter(
          (name) => field in (records.find((each) => each[0] === name)?.[1] ?? {}),
        );
        // Equal ones are in the order of their ids: by creation, or its reverse.
        const rank = (name: string) => Object(records.find((each) => each[0] === name)?.[1])[field];
        expect(found.slice(0, valued.length).map(rank), `${field} ${order}`).toEqual(valued.map(rank));
        expect(found.slice(valued.length).sort()).toEqual(wanted.slice(valued.length).toSorted());
      }
  });

  it('pages follow one another, whatever the order of the parameters', async () => {
    const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
    await givenField(boss, 'a', { indexed: true });
    await givenField(boss, 'b', { type: 'number', indexed: true });
    await bringAll(workspace, boss);
    const custom = (i: number) => ({ custom_fields: { a: 'same', ...(i % 3 ? { b: i % 7 } : {}) } });
    for (let i = 0; i < 60; i++) await keepers.contacts.create(boss, { name: `N ${i}`, ...custom(i) });
    for (const order of ['asc', 'desc']) {
      const query = { sort: 'custom_fields.b', order };
      const first = await keepers.contacts.list(boss, {
        ...query,
        custom_fields: { a: 'same', b: '1,2,3,4,5,6,0' },
      });
      expect(first.records).toHaveLength(40);
      const whole = await keepers.contacts.list(boss, { ...query, custom_fields: { a: 'same' } });
      expect(whole.records).toHaveLength(50);
      const rest = await keepers.contacts.list(boss, {
        ...query,
        ...{ custom_fields: { a: 'same' }, next_cursor: whole.page_info.next_cursor },
      });
      const all = [...whole.records, ...rest.records].map(({ custom_fields }) => custom_fields.b as number);
      expect(all.slice(40)).toEqual(Array(20).fill(undefined));
      const sorted = all.slice(0, 40).toSorted((x, y) => (order === 'asc' ? x - y : y - x));
      expect(all.slice(0, 40)).toEqual(sorted);
      expect(whole.filters).toEqual({ custom_fields: { a: 'same' } });
    }
    const path = (params: string) => `/contacts?${params}`;
    const get = (params: string) =>
      raw(workspace.url, {
        method: 'GET',
        path: path(params),
        headers: [['Authorization', `Bearer ${boss.read_key}`]],
      });
    const [one, two] = ['custom_fields[a]=same', 'custom_fields%5Bb%5D=0,1,2,3,4,5,6'];
    const page = await get(`${one}&${two}`);
    expect(page.status).toBe(200);
    const other = await get(`${two}&${one}`);
    expect(other.json).toEqual(page.json);
  });

  it('cost the read of the definitions, and another part where few have a value', async () => {
    const trips = async (query: object) =>
      (await countRequestTrips(workspace, ada, () => keepers.contacts.list(ada, query))).depth;
    const plain = await trips({});
    expect(await trips({ custom_fields: { select: 'a' } })).toBeLessThanOrEqual(plain + 1);
    expect(await trips({ sort: 'custom_fields.number' })).toBeLessThanOrEqual(plain + 3);
  });

  it('400 for fields that are not indexed, or of another type, and for what is no value', async () => {
    const problem = (query: object) => problemsOf(asCall(keepers.contacts.list(ada, query)));
    const by = (key: string, value: string) => problem({ custom_fields: { [key]: value } });
    for (const key of ['free', 'unknown', 'constructor', '__proto__', 'a]b[', ''])
      expect(await by(key, 'x'), key).toEqual({ [`custom_fields[${key}]`]: 'invalid' });
    for (const [key, value] of [
      ['number', 'ten'],
      ['number', '1,,2'],
      ['number', '0x10'],
      ['boolean', 'yes'],
      ['date', '2027-02-29'],
    ])
      expect(await by(key as string, value as string)).toEqual({ [`custom_fields[${key}]`]: 'invalid' });
    const many = Array.from({ length: 51 }, (_, i) => i).join(',');
    expect(await by('number', many)).toEqual({ 'custom_fields[number]': 'too_long' });
    expect(await by('text', '')).toEqual({ 'custom_fields[text]': 'invalid' });
    for (const field of ['free', 'unknown', 'multi_select', 'constructor'])
      expect(await problem({ sort: `custom_fields.${field}` }), field).toEqual({ sort: 'invalid' });
    expect(await problem({ sort: 'custom_fields.' })).toEqual({ sort: 'invalid' });
    const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, 'x']));
    expect(await problem({ custom_fields: eleven })).toEqual({ custom_fields: 'invalid' });
  });

  it('400 for a parameter that is sent twice; a strict client may send fields', async () => {
    const get = (query: string) =>
      raw(workspace.url, {
        method: 'GET',
        path: `/contacts?${query}`,
        headers: [
          ['Authorization', `Bearer ${ada.read_key}`],
          ['Prefer', 'handling=strict'],
        ],
      });
    const twice = await get('custom_fields[text]=a&custom_fields[text]=b');
    expect([twice.status, twice.json.error?.fields]).toMatchObject([
      400,
      { 'custom_fields[text]': { code: 'invalid' } },
    ]);
    expect((await get('custom_fields[text]=a')).status).toBe(200);
    for (const unknown of ['custom_field[text]=a', 'custom_fields=a', 'custom_fields[text=a'])
      expect((await get(unknown)).status, unknown).toBe(400);
  });

  it('422 until the records from before are done', async () => {
    await givenField(ada, 'soon', { indexed: true });
    for (const query of [{ custom_fields: { soon: 'x' } }, { sort: 'custom_fields.soon' }]) {
      expect(await codeOf(asCall(keepers.contacts.list(ada, query)))).toBe('422 custom_field_indexing');
    }
    expect(await codeOf(asCall(keepers.contacts.count(ada, { custom_fields: { soon: 'x' } })))).toBe(
      '422 custom_field_indexing',
    );
  });

  it('have long texts, and values that are not of the type from before', async () => {
    const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
    const long = 'é'.repeat(8_000);
    const odd = await keepers.contacts.create(boss, { custom_fields: { a: 5, b: '7' } });
    await givenField(boss, 'a', { indexed: true });
    await givenField(boss, 'b', { type: 'number', indexed: true });
    await bringAll(workspace, boss);
    const { id } = await keepers.contacts.create(boss, { custom_fields: { a: long, b: 7 } });
    const ids = async (query: object) =>
      (await keepers.contacts.list(boss, query)).records.map((each) => each.id);
    expect(await ids({ custom_fields: { a: long.slice(0, 1_000) } })).toEqual([]);
    expect(await ids({ custom_fields: { b: '7' } })).toEqual([id]);
    expect(await ids({ custom_fields: { a: '5' } })).toEqual([]);
    expect(await ids({ sort: 'custom_fields.b' })).toEqual([id, odd.id]);
    expect(await ids({ sort: 'custom_fields.a', order: 'desc' })).toEqual([id, odd.id]);
  });
});
