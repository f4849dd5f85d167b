import type { Clauses, Conjunction } from './conjunction.ts';
import type { Posting } from './posting.ts';
import type { ListRange } from './reader.ts';

/** A page of what a plan keeps. */
export interface Page<Row> {
  rows: Row[];
  /** Rank to go on from; null at the end. */
  next: string | null;
}

/** Steps of reading lists, and rows looked at, for one page; then it is answered short, with a cursor. */
export const MAX_STEPS = 16;
const MAX_LOOKED_AT = 1_000;
/** Rows looked at together. */
const AT_ONCE = 200;

export interface Paging<Row, P extends Posting> {
  limit: number;
  /** The rows of postings that are kept, in the same order. */
  rowsOf(postings: P[]): Promise<Row[]>;
  rankOf(row: Row): string | null;
}

/** Reads on until a page is full, everything was read, or enough was looked at. */
export async function findPage<Row, P extends Posting>(
  conjunction: Conjunction<P>,
  paging: Paging<Row, P>,
): Promise<Page<Row>> {
  const rows: Row[] = [];
  let lookedAt = 0;
  let wanted = paging.limit + 1;
  while (rows.length <= paging.limit && lookedAt < MAX_LOOKED_AT) {
    const postings = await conjunction.take(wanted);
    if (postings.length === 0) break;
    rows.push(...(await paging.rowsOf(postings)));
    lookedAt += postings.length;
    // Where few are kept, more are looked at in the next step.
    wanted = Math.min(2 * wanted, AT_ONCE);
  }
  return firstOf({ rows, next: conjunction.ended ? null : conjunction.position }, paging);
}

/** The first rows, when there are more than a page holds. */
export function firstOf<Row>(
  { rows, next }: Page<Row>,
  { limit, rankOf }: Pick<Paging<Row, Posting>, 'limit' | 'rankOf'>,
): Page<Row> {
  if (rows.length <= limit) return { rows, next };
  const last = rows[limit - 1] as Row;
  return { rows: rows.slice(0, limit), next: rankOf(last) };
}

/** Postings read at first: of lists of which a filter keeps a part, together; of lists that are compared, each. */
const FILTERED = 1_600;
const COMPARED = 200;
/** Up to so many joined lists, each is read as if the whole page were in it, so that one step is enough. */
const WHOLE = 20;
const FEWEST = 25;

export function pageSize<P extends Posting>(clauses: Clauses<ListRange<P>>, limit: number): number {
  const ranges = clauses.flat();
  if (ranges.some((range) => range.filter)) return Math.max(COMPARED, Math.floor(FILTERED / ranges.length));
  if (clauses.length > 1) return COMPARED;
  const whole = limit + 1;
  return Math.min(whole, Math.max(FEWEST, Math.floor((WHOLE * whole) / ranges.length)));
}
