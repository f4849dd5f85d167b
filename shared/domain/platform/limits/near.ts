import type { Key } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { additionsOf, oneMore } from './additions.ts';

/** Requests at once add no more than this: with more room, none of them waits for another. */
const AT_ONCE = 50;

interface Limit {
  key: Key;
  most: number;
  /** What is there, hidden ones too. */
  count(): Promise<number>;
}

/** How many there are, and what is written with one more: nothing, unless the limit is near. */
export async function countNear(
  table: Table,
  { key, most, count }: Limit,
): Promise<{ count: number; writes: Write[] }> {
  const first = await count();
  if (first < most - AT_ONCE || first >= most) return { count: first, writes: [] };
  const additions = await additionsOf(table, key);
  return { count: await count(), writes: [oneMore(additions)] };
}
