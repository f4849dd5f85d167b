import { setTimeout as sleep } from 'node:timers/promises';
import { type Key, keyOf, keys, nameOfKey, type RecordType } from '#shared/table/keys.ts';
import { asRead, ConditionFailed, type Item, type Table } from '#shared/table/table.ts';
import { readEntries } from './change.ts';
import { ALL, listName } from './entry.ts';
import { addToCounters, type Counters, type Counts } from './expected-counters.ts';
import { idsOf } from './ranks.ts';

/** Compares the counters of an owner with what the entries of records say. */

interface Owned {
  owner: string;
  record_type: RecordType;
  /** The lists and orders that may be counted: a counter may be left where no record is. */
  counted: Iterable<string>;
}

type Value = Counts[string] | undefined;

/** One attribute of an item. */
export interface CounterDifference {
  key: Key;
  name: string;
  /** As it is in the table; undefined without one. */
  stored: unknown;
  found: Value;
  /** False when the first look differed: records change. */
  settled: boolean;
}

/** An order that every record has. */
const ORDER = 'created_at';

/** Records whose entries are read together. */
const TOGETHER = 100;

/** Milliseconds between two looks: a record that changed meanwhile is read again. */
const LOOK_AGAIN = 1_000;

async function foundCounters(table: Table, { owner, record_type }: Owned): Promise<Counters> {
  const { PK } = keys.posting(owner, listName(record_type, ORDER, ALL), '');
  const ids = idsOf(await table.all(PK));
  const counters: Counters = new Map();
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const some = ids.slice(at, at + TOGETHER).map((id) => readEntries(table, { type: record_type, id }));
    for (const entry of (await Promise.all(some)).flat())
      if (entry.owner === owner) addToCounters(counters, entry);
  }
  return counters;
}

async function storedCounters(
  table: Table,
  { owner, record_type, counted }: Owned,
  found: Counters,
): Promise<Map<string, Item>> {
  const partitions = new Set([
    keys.listSum(owner, record_type, '').PK,
    keys.packedList(owner, record_type, '', '').PK,
    ...[...counted].map((list) => keys.listCount(owner, record_type, list).PK),
    ...[...found.values()].map(({ PK }) => PK),
  ]);
  const items: Item[] = [];
  for (const partition of partitions) items.push(...(await table.all(partition)));
  return new Map(items.map((item) => [nameOfKey(item), item]));
}

/** A number of 0 and a set without names are as none. */
const textOf = (value: unknown): string =>
  value instanceof Set ? [...value].sort().join() : value ? String(value) : '';

async function look(table: Table, owned: Owned): Promise<CounterDifference[]> {
  const found = await foundCounters(table, owned);
  const stored = await storedCounters(table, owned, found);
  const names = [...new Set([...found.keys(), ...stored.keys()])].sort();
  return names.flatMap((name) => {
    const [is, should] = [stored.get(name), found.get(name)];
    const { PK: _, SK: __, ...counts }: Record<string, unknown> = is ?? {};
    const all = [...new Set([...Object.keys(counts), ...Object.keys(should?.counts ?? {})])];
    return all
      .map((each) => ({ name: each, stored: counts[each], found: should?.counts[each] }))
      .filter((each) => textOf(each.stored) !== textOf(each.found))
      .map((each) => ({ key: keyOf((is ?? should) as Key), ...each, settled: false }));
  });
}

const isSame = (one: CounterDifference, other: CounterDifference) =>
  nameOfKey(one.key) === nameOfKey(other.key) &&
  one.name === other.name &&
  textOf(one.stored) === textOf(other.stored) &&
  textOf(one.found) === textOf(other.found);

/** A difference that is the same twice is real. */
export async function counterDifferences(table: Table, owned: Owned): Promise<CounterDifference[]> {
  const first = await look(table, owned);
  if (first.length === 0) return [];
  await sleep(LOOK_AGAIN);
  return (await look(table, owned)).map((now) => ({
    ...now,
    settled: first.some((before) => isSame(before, now)),
  }));
}

type Stored = Item & Record<string, unknown>;

/** Sets the attribute to what was found; false when it has changed since. */
export async function repairCounter(
  table: Table,
  { key, name, stored, found }: CounterDifference,
): Promise<boolean> {
  const change =
    found === undefined && stored instanceof Set ? { remove: [name] } : { set: { [name]: found ?? 0 } };
  try {
    await table.update<Stored>(key, { ...change, when: { [name]: asRead(stored) } });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
