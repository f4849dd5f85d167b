import type { Key } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { type CounterName, type Counters, counted, SLOT, slotOf, WINDOW } from './rate.ts';

/** Slots whose counters are one item: an hour of them, where a slot is three seconds. */
const SLOTS = 1_200;

type ItemOfCounters = Item & { expires_epoch: number } & Counters;

/**
 * Counts a request, removes the counters `stale`, and returns all counters that `measureRate` needs. The counters of a
 * period are one item, deleted by its time to live a period later, when no window covers them. Only in the first minute
 * of an hour, older counters are in another item. `length` is that of a counter in milliseconds.
 */
export async function countRequest(
  table: Table,
  keyOf: (period: number) => Key,
  now: Date,
  stale: CounterName[],
  length = SLOT,
): Promise<Counters> {
  const period = Math.floor(slotOf(now, length) / SLOTS);
  const before = Math.floor((slotOf(now, length) - WINDOW) / SLOTS);
  const [item, earlier] = await Promise.all([
    table.update<ItemOfCounters>(keyOf(period), {
      set: { expires_epoch: ((period + 2) * SLOTS * length) / 1_000 },
      add: counted(now, length),
      remove: stale,
    }),
    before < period ? table.get<ItemOfCounters>(keyOf(before)) : undefined,
  ]);
  return { ...earlier, ...item };
}
