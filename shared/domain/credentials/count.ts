import type { Key } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { counterName, minuteOf } from './rate.ts';

/**
 * Adds one to the counter of this minute and gives all counters that `measureRate` wants. The minutes of an hour are
 * one item, removed by its time to live. Only in the first minute of an hour the minute before is in another item.
 */
export async function countMinute(
  table: Table,
  keyOf: (hour: number) => Key,
  now: Date,
): Promise<Record<string, unknown>> {
  const minute = minuteOf(now);
  const hour = Math.floor(minute / 60);
  const [counted, before] = await Promise.all([
    table.update(keyOf(hour), {
      update: 'SET expires_epoch = :expires ADD #minute :one',
      names: { '#minute': counterName(minute) },
      values: { ':one': 1, ':expires': (hour + 2) * 3_600 },
    }),
    minute % 60 === 0 ? table.get(keyOf(hour - 1)) : undefined,
  ]);
  return { ...before, ...counted };
}
