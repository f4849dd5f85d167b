import { type Key, keys, nameOfKey } from '#shared/table/keys.ts';
import { countKey } from './counters.ts';
import { additionsOf } from './day-counters.ts';
import type { ListEntry } from './entry.ts';
import { packedIn, packedName } from './packed.ts';

/** What follows from entries: numbers of lists and of their days, sums, and packed lists. */

/** The attributes of an item: numbers, and sets of names. */
export type Counts = Record<string, bigint | ReadonlySet<string>>;

export type Counter = Key & { counts: Counts };

export type Counters = Map<string, Counter>;

function countsAt(counters: Counters, { PK, SK }: Key): Counts {
  const name = nameOfKey({ PK, SK });
  const counter = counters.get(name) ?? { PK, SK, counts: {} };
  counters.set(name, counter);
  return counter.counts;
}

function addTo(counters: Counters, key: Key, add: Record<string, number | bigint>): void {
  const counts = countsAt(counters, key);
  for (const [name, by] of Object.entries(add)) counts[name] = ((counts[name] as bigint) ?? 0n) + BigInt(by);
}

/** Adds the record in the lists of one owner. */
export function addToCounters(counters: Counters, entry: ListEntry): void {
  const { owner, record_type, record_id, listed } = entry;
  for (const list of listed.counted ?? []) addTo(counters, countKey(entry, list), { record_count: 1 });
  for (const { key, add } of additionsOf(entry, listed, 1)) addTo(counters, key, { ...add });
  for (const key of packedIn(entry, listed).values()) {
    const counts = countsAt(counters, key);
    const names = (counts.names as Set<string> | undefined) ?? new Set<string>();
    counts.names = names.add(packedName(record_id).name);
  }
  if (!listed.summed) return;
  const { name, units } = listed.summed;
  addTo(counters, keys.listSum(owner, record_type, name), { record_count: 1, units: BigInt(units) });
}
