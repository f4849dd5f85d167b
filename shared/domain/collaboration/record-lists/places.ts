import { firstOf, type Page } from '#shared/domain/platform/postings/page.ts';
import { isAhead, type Order } from '#shared/domain/platform/postings/reader.ts';
import { MOMENT_LENGTH, timeRank } from '#shared/table/keys.ts';
import type { ListedItem } from './listed-item.ts';
import { momentIn, momentRank, rankOf, VALUED } from './ranks.ts';

/** The places of records in the order of their last moments, and of those without one behind them. */

/** Ranks of records without a moment, in front of their place by creation. */
export const WITHOUT = '0';

export const rankedBy =
  <R extends ListedItem>(last: ReadonlyMap<string, number>) =>
  (record: R) => {
    const moment = last.get(record.id);
    return moment === undefined
      ? `${WITHOUT}${momentRank(record.created_at)}#${record.id}`
      : rankOf(timeRank(moment), record.id);
  };

/** A record in its place. */
export interface Placed<R> {
  record: R;
  rank: string;
}

export function placed<R extends ListedItem>(records: R[], last: ReadonlyMap<string, number>, order: Order) {
  const rank = rankedBy<R>(last);
  const all = records.map((record): Placed<R> => ({ record, rank: rank(record) }));
  return all.sort((a, b) => {
    // Those without a moment are last in both directions.
    const isValued = [a, b].map((each) => each.rank > VALUED);
    if (isValued[0] !== isValued[1]) return isValued[0] ? -1 : 1;
    return isAhead[order](a.rank, b.rank) ? -1 : 1;
  });
}

/** The moment where a page begins: a bound without an id is behind all of its moment. */
export function beginningOf(after: string, order: Order): number {
  const at = momentIn(after);
  if (after[VALUED.length + MOMENT_LENGTH] === '#') return at;
  return order === 'desc' ? at - 1 : at + 1;
}

export const isTail = (bound: string) => bound <= VALUED;

/** Whether a place is behind the bound where a page begins. */
export function isBehind(rank: string, after: string | undefined, order: Order): boolean {
  if (after === undefined) return true;
  if (isTail(after) !== isTail(rank)) return isTail(rank);
  return order === 'desc' ? rank < after : rank >= after;
}

export function pageOf<R>(
  places: Placed<R>[],
  { limit, next, order }: { limit: number; next: string | null; order: Order },
): Page<R> {
  const ranks = new Map(places.map(({ record, rank }) => [record, rank]));
  const rows = places.map(({ record }) => record);
  return firstOf({ rows, next }, { limit, order, rankOf: (record) => ranks.get(record) ?? '' });
}
