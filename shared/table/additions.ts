import { type Key, nameOfKey } from './keys.ts';
import { update, type Write } from './requests.ts';

interface Addition {
  key: Key;
  add: Record<string, number>;
}

/** What a write adds to numbers of an item, when it does nothing else. */
function additionOf(write: Write): Addition | undefined {
  if (!('update' in write) || write.otherwise) return undefined;
  const { add, ...others }: { add?: object } = write.update;
  if (!add || Object.keys(others).length > 0) return undefined;
  const isOfNumbers = Object.values(add).every((by) => typeof by === 'number');
  return isOfNumbers ? { key: write.key, add: add as Addition['add'] } : undefined;
}

function joined(writes: Write[]): Write[] {
  const [first, ...others] = writes.flatMap((write) => additionOf(write) ?? []);
  if (!first || others.length === 0) return writes;
  const add = { ...first.add };
  for (const other of others)
    for (const [name, by] of Object.entries(other.add)) add[name] = (add[name] ?? 0) + by;
  return [update<Key & Addition['add']>(first.key, { add })];
}

/** A transaction changes an item once: several writes that only add numbers to one, as counters need, become one. */
export function addedOnce(writes: Write[]): Write[] {
  const byItem = Map.groupBy(writes, (write) => {
    const addition = additionOf(write);
    return addition ? nameOfKey(addition.key) : write;
  });
  return [...byItem.values()].flatMap(joined);
}
