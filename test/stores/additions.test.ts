import { beforeAll, expect, it } from 'vitest';
import { type Item, missing, mustNotExist, type Table, update, type Write } from '#shared/table/table.ts';
import { freshKey, startTable } from '../support/table.ts';

/** A transaction changes an item once; counters of several records may be in one. */

type Counter = Item & { count?: number; others?: number; names?: Set<string> };

let table: Table;
beforeAll(async () => {
  table = (await startTable()).table;
});

it('adds what several writes of a transaction add to numbers of an item', async () => {
  const [one, other] = [freshKey(), freshKey()];
  const add = (key: typeof one, count: number) => update<Counter>(key, { add: { count } });
  await table.transact([
    add(one, 1),
    { put: { ...other, count: 3 } },
    add(one, 1),
    update<Counter>(one, { add: { count: -5, others: 2 } }),
  ]);
  expect(await table.get(one)).toEqual({ ...one, count: -3, others: 2 });
  expect(await table.get(other)).toEqual({ ...other, count: 3 });
});

it.each([
  ['a condition', { add: { count: 1 }, when: { PK: missing } }],
  ['a value', { add: { count: 1 }, set: { others: 1 } }],
  ['names', { add: { names: new Set(['a']) } }],
])('leaves a write with %s to DynamoDB, which refuses two of an item', async (_, change) => {
  const key = freshKey();
  const writes: Write[] = [
    update<Counter>(key, change),
    update<Counter>(key, { add: { count: 1 } }),
    update<Counter>(key, { add: { count: 1 } }),
  ];
  await expect(table.transact(writes)).rejects.toThrow('multiple operations on one item');
  expect(await table.get(key)).toBeUndefined();
});

it('says which write failed, behind those that became one', async () => {
  const [key, there] = [freshKey(), freshKey()];
  await table.put({ ...there });
  const writes: Write[] = [
    update<Counter>(key, { add: { count: 1 } }),
    update<Counter>(key, { add: { count: 1 } }),
    { put: { ...there }, when: mustNotExist, otherwise: () => new Error('It is there.') },
  ];
  await expect(table.transact(writes)).rejects.toThrow('It is there.');
  expect(await table.get(key)).toBeUndefined();
});

it('sends nothing without writes, which DynamoDB refuses', async () => {
  expect(await table.transact([])).toBeUndefined();
});
