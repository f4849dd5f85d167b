import type { Clauses } from './conjunction.ts';
import type { Posting } from './posting.ts';
import { type Bounds, type ListRange, within } from './reader.ts';

/**
 * Whether ranges and bounds hold what is kept and nothing else: `always`; `in_all` when places that are not in the list
 * of everything, because what stood there has moved on, are left out; or `never`, when each row has to be checked.
 */
export type Exactness = 'always' | 'in_all' | 'never';

const WORST: Exactness[] = ['never', 'in_all', 'always'];

/** One filter: which rows it keeps, and the lists in which they are all found. */
export interface Criterion<Row, P extends Posting = Posting> {
  /** Each row that is kept is in at least one range of every clause. Without any, every row has to be looked at. */
  clauses: Clauses<ListRange<P>>;
  /** Ranks outside of these are not kept. */
  bounds?: Bounds;
  exact: Exactness;
  keeps(row: Row): boolean;
}

/** How the rows that meet all criteria are found: which lists are read, and what is checked on each row. */
export interface Plan<Row, P extends Posting = Posting> {
  /** A row that is kept is in one range of each. */
  clauses: Clauses<ListRange<P>>;
  /** Whether being in the ranges is enough. */
  exact: Exactness;
  /** True when the criteria name no list and no bounds. */
  everything: boolean;
  keeps(row: Row): boolean;
}

/** `all` is the list of everything, which is read when no criterion names a list. */
export function planOf<Row, P extends Posting>(criteria: Criterion<Row, P>[], all: string): Plan<Row, P> {
  const bounds = criteria.reduce<Bounds>((both, criterion) => within(both, criterion.bounds ?? {}), {});
  const own = criteria.flatMap((criterion) => criterion.clauses);
  const clauses = own.length > 0 ? own : [[{ list: all }]];
  return {
    clauses: narrowed(clauses, bounds),
    exact: criteria.reduce<Exactness>(
      (worst, { exact }) => (WORST.indexOf(exact) < WORST.indexOf(worst) ? exact : worst),
      'always',
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

/** Any of several criteria. */
export function anyOf<Row, P extends Posting>(criteria: Criterion<Row, P>[]): Criterion<Row, P> {
  // What a criterion keeps is in one range of its first clause.
  const first = criteria.flatMap(({ clauses: [clause] }) => clause ?? []);
  return {
    clauses: [first],
    exact: 'never',
    keeps: (row) => criteria.some((criterion) => criterion.keeps(row)),
  };
}
