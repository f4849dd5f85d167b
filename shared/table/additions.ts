import { isDeepStrictEqual } from 'node:util';
import { type Key, nameOfKey } from './keys.ts';
import { update, type Write } from './requests.ts';

/** What is added to numbers of an item. */
export interface Addition<Name extends string = string> {
  key: Key;
  add: Record<Name, number>;
}

/** One addition to each item. */
export function summed<Name extends string>(additions: Addition<Name>[]): Addition<Name>[] {
  const sums = new Map<string, Addition<Name>>();
  for (const { key, add } of additions) {
    const name = nameOfKey(key);
    const sum = sums.get(name) ?? { key, add: {} as Record<Name, number> };
    for (const [part, by] of Object.entries(add) as [Name, number][])
      sum.add[part] = (sum.add[part] ?? 0) + by;
    sums.set(name, sum);
  }
  return [...sums.values()];
}

/** What a write adds to numbers, and what else it does, when it has no condition. */
function additionOf(write: Write): (Addition & { besides: object }) | undefined {
  if (!('update' in write) || write.otherwise || 'when' in write.update) return undefined;
  const { add, ...besides }: { add?: object } = write.update;
  if (!add || !Object.values(add).every((by) => typeof by === 'number')) return undefined;
  return { key: write.key, add: add as Addition['add'], besides };
}

function joined(writes: Write[]): Write[] {
  const additions = writes.flatMap((write) => additionOf(write) ?? []);
  const besides = additions[0]?.besides;
  if (writes.length === 1 || !additions.every((each) => isDeepStrictEqual(each.besides, besides)))
    return writes;
  return summed(additions).map(({ key, add }) =>
    update<Key & Record<string, number>>(key, { ...besides, add }),
  );
}

/**
 * A transaction changes an item once: several writes that only add numbers to one, as counters need, become one, and so do those
 * that besides do the same, as to request a job.
 */
export function addedOnce(writes: Write[]): Write[] {
  const byItem = Map.groupBy(writes, (write) => {
    const addition = additionOf(write);
    return addition ? nameOfKey(addition.key) : write;
  });
  return [...byItem.values()].flatMap(joined);
}
