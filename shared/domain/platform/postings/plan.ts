import type { Clauses } from './conjunction.ts';
import type { Posting } from './posting.ts';
import { type Bounds, type ListRange, within } from './reader.ts';

/**
 * Whether ranges and bounds contain exactly the matching rows: `always`; `in_all` when only stale postings, which the
 * list of everything no longer has, must be left out; or `never`, when each row must be checked.
 */
export type Exactness = 'always' | 'in_all' | 'never';

const WORST: Exactness[] = ['never', 'in_all', 'always'];

/** One filter: which rows match, and the lists in which all of them are found. */
export interface Criterion<Row, P extends Posting = Posting> {
  /** Each matching row is in at least one range of every clause. Without clauses, every row must be checked. */
  clauses: Clauses<ListRange<P>>;
  /** No row with a rank outside of these matches. */
  bounds?: Bounds;
  exact: Exactness;
  keeps(row: Row): boolean;
}

/** How to find the rows that match all criteria: which lists to read, and what to check on each row. */
export interface Plan<Row, P extends Posting = Posting> {
  /** A matching row is in one range of each clause. */
  clauses: Clauses<ListRange<P>>;
  /** Whether being in the ranges is sufficient. */
  exact: Exactness;
  /** True when the criteria name no list and no bounds. */
  everything: boolean;
  keeps(row: Row): boolean;
}

/** Ranges of a clause that are read, a query each. Where there are more, each row is checked. */
export const MOST_RANGES = 1_000;

/** `all` is the list of everything, which is read when no criterion names a list that is read. */
export function planOf<Row, P extends Posting>(criteria: Criterion<Row, P>[], all: string): Plan<Row, P> {
  const bounds = criteria.reduce<Bounds>((both, criterion) => within(both, criterion.bounds ?? {}), {});
  const named = criteria.flatMap((criterion) => criterion.clauses);
  const own = named.filter(({ length }) => length <= MOST_RANGES);
  const clauses = own.length > 0 ? own : [[{ list: all }]];
  return {
    clauses: narrowed(clauses, bounds),
    exact: criteria.reduce<Exactness>(
      (worst, { exact }) => (WORST.indexOf(exact) < WORST.indexOf(worst) ? exact : worst),
      own.length < named.length ? 'never' : 'always',
    ),
    everything: own.length === 0 && criteria.every((criterion) => !criterion.bounds),
    keeps: (row) => criteria.every((criterion) => criterion.keeps(row)),
  };
}

/** The same ranges within other bounds. */
export function narrowed<Range extends object>(
  clauses: Clauses<Range & Bounds>,
  bounds: Bounds,
): Clauses<Range & Bounds> {
  return clauses.map((ranges) => ranges.map((range) => within(range, bounds)));
}
