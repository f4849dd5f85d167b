import type { Key } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { type CounterName, type Counters, counted, SLOT, slotOf, WINDOW } from './rate.ts';

const HOUR = 3_600_000;
/** Seconds that a counter is kept after its hour: longer than any window. */
const KEPT = 3_600;

type HourOfCounters = Item & { expires_epoch: number } & Counters;

/**
 * Counts a request, removes the counters `stale`, and returns all counters that `measureRate` needs. The counters of an
 * hour are one item, deleted by its time to live. Only in the first minute of an hour, older counters are in another
 * item.
 */
export async function countRequest(
  table: Table,
  keyOf: (hour: number) => Key,
  now: Date,
  stale: CounterName[],
): Promise<Counters> {
  const hour = Math.floor(now.getTime() / HOUR);
  const before = Math.floor(((slotOf(now) - WINDOW) * SLOT) / HOUR);
  const [item, earlier] = await Promise.all([
    table.update<HourOfCounters>(keyOf(hour), {
      set: { expires_epoch: ((hour + 1) * HOUR) / 1_000 + KEPT },
      add: counted(now),
      remove: stale,
    }),
    before < hour ? table.get<HourOfCounters>(keyOf(before)) : undefined,
  ]);
  return { ...earlier, ...item };
}
