import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { countRequest } from './count.ts';
import { HOURLY_SLOT, lastStale, measureRate } from './rate.ts';

/** What is counted, and for whom: `sign_in` of a network, codes of an address. */
export interface Counted {
  what: string;
  subject: string;
}

/**
 * Counts one of at most `limit` in 60 minutes, in one round trip. Returns 0, or the seconds until one more is allowed.
 */
export async function countInHour(
  table: Table,
  { what, subject }: Counted,
  limit: number,
  now: Date,
): Promise<number> {
  const keyOf = (period: number) => keys.hourlyRate(what, subject, period);
  const counters = await countRequest(table, keyOf, now, lastStale(now, HOURLY_SLOT), HOURLY_SLOT);
  return measureRate(counters, limit, now, HOURLY_SLOT).retry_after;
}
