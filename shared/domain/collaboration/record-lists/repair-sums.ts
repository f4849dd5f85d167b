import { setTimeout as sleep } from 'node:timers/promises';
import { keys, type RecordType } from '#shared/table/keys.ts';
import { ConditionFailed, mustNotExist, type Table, when } from '#shared/table/table.ts';
import { readEntries } from './change.ts';
import { ALL, listName } from './entry.ts';
import { idsOf } from './ranks.ts';
import { type ListSum, type NamedSum, readSums } from './sums.ts';

/** Adds up what the entries of records say, and compares it with the sums of an owner. */

interface Owned {
  owner: string;
  record_type: RecordType;
}

type Sum = Omit<NamedSum, 'name'>;

export interface SumDifference extends Owned {
  name: string;
  /** Undefined without an item. */
  stored: Sum | undefined;
  found: Sum;
  /** False when the first look differed: records change. */
  settled: boolean;
}

const NOTHING: Sum = { record_count: 0, units: 0n };

/** An order that every record has. */
const ORDER = 'created_at';

/** Records whose entries are read together. */
const TOGETHER = 100;

/** Milliseconds between two looks: a record that changed meanwhile is read again. */
const LOOK_AGAIN = 1_000;

async function foundSums(table: Table, { owner, record_type }: Owned): Promise<Map<string, Sum>> {
  const { PK } = keys.posting(owner, listName(record_type, ORDER, ALL), '');
  const ids = idsOf(await table.all(PK));
  const sums = new Map<string, Sum>();
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const some = ids.slice(at, at + TOGETHER).map((id) => readEntries(table, { type: record_type, id }));
    for (const entry of (await Promise.all(some)).flat()) {
      const { summed } = entry.listed;
      if (entry.owner !== owner || !summed) continue;
      const { record_count, units } = sums.get(summed.name) ?? NOTHING;
      sums.set(summed.name, { record_count: record_count + 1, units: units + BigInt(summed.units) });
    }
  }
  return sums;
}

/** Before every name, and behind. */
const everything = { from: '', to: '~' };

const isSame = (a: Sum, b: Sum) => a.record_count === b.record_count && a.units === b.units;

async function look(table: Table, owned: Owned): Promise<SumDifference[]> {
  const [found, all] = await Promise.all([foundSums(table, owned), readSums(table, owned, everything)]);
  const stored = new Map(all.map(({ name, record_count, units }) => [name, { record_count, units }]));
  return [...new Set([...found.keys(), ...stored.keys()])].sort().flatMap((name) => {
    const [is, should] = [stored.get(name), found.get(name) ?? NOTHING];
    if (isSame(is ?? NOTHING, should)) return [];
    return [{ ...owned, name, stored: is, found: should, settled: false }];
  });
}

/** A difference that is the same twice is real. */
export async function sumDifferences(table: Table, owned: Owned): Promise<SumDifference[]> {
  const first = await look(table, owned);
  if (first.length === 0) return [];
  await sleep(LOOK_AGAIN);
  const isAsBefore = (now: SumDifference) =>
    first.some(
      ({ name, stored, found }) =>
        name === now.name && isSame(stored ?? NOTHING, now.stored ?? NOTHING) && isSame(found, now.found),
    );
  return (await look(table, owned)).map((now) => ({ ...now, settled: isAsBefore(now) }));
}

/** Sets the sum to what was found; false when it has changed since. */
export async function repairSum(
  table: Table,
  { owner, record_type, name, stored, found }: SumDifference,
): Promise<boolean> {
  const key = keys.listSum(owner, record_type, name);
  try {
    await table.put({ ...key, ...found } satisfies ListSum, stored ? when<ListSum>(stored) : mustNotExist);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
