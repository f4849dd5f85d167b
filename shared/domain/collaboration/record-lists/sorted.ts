import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { Page } from '#shared/domain/platform/postings/page.ts';
import { type Bounds, isAhead, restFrom } from '#shared/domain/platform/postings/reader.ts';
import type { Query } from './matching.ts';
import { rankOf, VALUED } from './ranks.ts';

/** Records in the order of a query. */

export interface Paging {
  limit: number;
  /** Where the page begins: `next` of the page before it. */
  after: string | undefined;
}

/** A page, and the places of its records in the order. */
export interface PlacedPage<R> extends Page<R> {
  /**
   * Where the record was found. One that is written meanwhile has a place elsewhere: a cursor made of that would skip or repeat
   * what is between.
   */
  rankOf(record: R): string;
}

/** What is left of an order, in parts: records without a value come after all others, also in ascending order. */
export function rangesOf<R extends GuardedItem>(
  { index, sort, order }: Query<R>,
  after: string | undefined,
): Bounds[] {
  const rest = after === undefined ? {} : restFrom[order](after);
  if (order === 'desc' || !index.sparse?.includes(sort)) return [rest];
  const [valued, others]: [Bounds, Bounds] = [{ from: VALUED }, { before: VALUED }];
  if (after === undefined) return [valued, others];
  return after < VALUED ? [{ ...others, ...rest }] : [rest, others];
}

export const rankIn =
  <R extends GuardedItem>({ index, sort }: Pick<Query<R>, 'index' | 'sort'>) =>
  (record: R) =>
    rankOf(index.orders[sort]?.(record) ?? null, record.id);

/** In the order of the query, without the pages before. */
export function rankedAfter<R extends GuardedItem, T>(
  query: Query<R>,
  all: T[],
  after: string | undefined,
  rank: (each: T) => string,
): T[] {
  const { order } = query;
  return rangesOf(query, after).flatMap(({ from = '', before = '~' }) =>
    all
      .filter((each) => rank(each) >= from && rank(each) < before)
      .sort((a, b) => (isAhead[order](rank(a), rank(b)) ? -1 : 1)),
  );
}

/** The same of records, by their values, unless they were found elsewhere. */
export const sortedAfter = <R extends GuardedItem>(
  query: Query<R>,
  records: R[],
  after: string | undefined,
  rank = rankIn(query),
): R[] => rankedAfter(query, records, after, rank);
