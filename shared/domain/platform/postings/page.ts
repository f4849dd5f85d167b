import type { Clauses, Conjunction } from './conjunction.ts';
import type { Posting } from './posting.ts';
import { behind, type ListRange, type Order } from './reader.ts';

/** A page of the rows that a plan keeps. */
export interface Page<Row> {
  rows: Row[];
  /** The bound to continue from (`restFrom`); null at the end. */
  next: string | null;
}

/** Steps of reading, and rows checked, for one page; then a short page with a cursor is returned. */
export const MAX_STEPS = 16;
const MAX_LOOKED_AT = 1_000;
/** Rows checked in parallel. */
const AT_ONCE = 200;

export interface Paging<Row, P extends Posting> {
  limit: number;
  /** The matching rows of these postings, in the same order. */
  rowsOf(postings: P[]): Promise<Row[]>;
  rankOf(row: Row): string;
  /** Tells which postings have no row of the page, as soon as that is known. */
  join?: { keeps(posting: P): boolean; isKnown: boolean };
  /** Rows looked at first; as many as show that there is another page, when omitted. */
  first?: number;
  /** Descending when omitted. */
  order?: Order;
}

/** Reads until a page is full, everything is read, or the limit of rows is checked. */
export async function findPage<Row, P extends Posting>(
  conjunction: Conjunction<P>,
  paging: Paging<Row, P>,
): Promise<Page<Row>> {
  const { limit, join } = paging;
  const rows: Row[] = [];
  let lookedAt = 0;
  let wanted = paging.first ?? limit + 1;
  while (rows.length <= limit && lookedAt < MAX_LOOKED_AT) {
    const count = join?.isKnown ? limit + 1 - rows.length : wanted;
    const postings = await conjunction.take(count, join?.keeps);
    if (postings.length === 0) break;
    rows.push(...(await paging.rowsOf(postings)));
    lookedAt += postings.length;
    // Where few rows match, the next step checks more.
    wanted = Math.min(2 * wanted, AT_ONCE);
  }
  return firstOf({ rows, next: conjunction.ended ? null : conjunction.position }, paging);
}

/** A page of the first rows, when there are more. */
export function firstOf<Row>(
  { rows, next }: Page<Row>,
  { limit, rankOf, order = 'desc' }: Pick<Paging<Row, Posting>, 'limit' | 'rankOf' | 'order'>,
): Page<Row> {
  if (rows.length <= limit) return { rows, next };
  const last = rows[limit - 1] as Row;
  return { rows: rows.slice(0, limit), next: behind[order](rankOf(last)) };
}

/** Postings of the first read: in all for lists that a filter reduces; for each list of a merge. */
const FILTERED = 1_600;
const COMPARED = 200;
/** Up to this many merged lists, each is read as if it contained the whole page, so one step is enough. */
const WHOLE = 20;
const FEWEST = 25;

export function pageSize<P extends Posting>(
  clauses: Clauses<ListRange<P>>,
  limit: number,
  most_whole = WHOLE,
): number {
  const ranges = clauses.flat();
  if (ranges.some(({ filter, first }) => filter && first === undefined))
    return Math.max(COMPARED, Math.floor(FILTERED / ranges.length));
  if (clauses.length > 1) return COMPARED;
  const whole = limit + 1;
  return Math.min(whole, Math.max(FEWEST, Math.floor((most_whole * whole) / ranges.length)));
}
