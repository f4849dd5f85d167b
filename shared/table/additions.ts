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

/** What a write adds, when it does nothing else. */
function additionOf(write: Write): Addition | undefined {
  if (!('update' in write) || write.otherwise) return undefined;
  const { add, ...others }: { add?: object } = write.update;
  if (!add || Object.keys(others).length > 0) return undefined;
  const isOfNumbers = Object.values(add).every((by) => typeof by === 'number');
  return isOfNumbers ? { key: write.key, add: add as Addition['add'] } : undefined;
}

function joined(writes: Write[]): Write[] {
  if (writes.length === 1) return writes;
  const additions = writes.flatMap((write) => additionOf(write) ?? []);
  return summed(additions).map(({ key, add }) => update<Key & Record<string, number>>(key, { add }));
}

/** A transaction changes an item once: several writes that only add numbers to one, as counters need, become one. */
export function addedOnce(writes: Write[]): Write[] {
  const byItem = Map.groupBy(writes, (write) => {
    const addition = additionOf(write);
    return addition ? nameOfKey(addition.key) : write;
  });
  return [...byItem.values()].flatMap(joined);
}
