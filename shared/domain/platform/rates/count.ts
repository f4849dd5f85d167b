import type { Key } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { COUNT, counted, SLOT, slotOf, WINDOW } from './rate.ts';

const HOUR = 3_600_000;
/** Seconds that a counter is kept after its hour: longer than any window. */
const KEPT = 3_600;

/**
 * Counts a request and gives all counters that `measureRate` wants. The counters of an hour are one item, removed by its
 * time to live. Only in the first minute of an hour what was counted before is in another item.
 */
export async function countRequest(
  table: Table,
  keyOf: (hour: number) => Key,
  now: Date,
): Promise<Record<string, unknown>> {
  const hour = Math.floor(now.getTime() / HOUR);
  const before = Math.floor(((slotOf(now) - WINDOW) * SLOT) / HOUR);
  const [item, earlier] = await Promise.all([
    table.update(keyOf(hour), {
      update: `SET expires_epoch = :expires ${COUNT}`,
      names: counted(now),
      values: { ':one': 1, ':expires': ((hour + 1) * HOUR) / 1_000 + KEPT },
    }),
    before < hour ? table.get(keyOf(before)) : undefined,
  ]);
  return { ...earlier, ...item };
}
