import { type Criterion, type Exactness, type Row, received } from './criteria.ts';
import { listNames } from './postings.ts';
import { type ListRange, within } from './reader.ts';

const WORST: Exactness[] = ['never', 'in_all', 'always'];

/** How the threads that meet all criteria are found: which lists are read, and what is checked on each thread. */
export interface Plan {
  /** A thread that is kept is in one range of each. */
  unions: ListRange[][];
  /** Whether being in the ranges is enough. */
  exact: Exactness;
  /** True when the criteria name no list and no bounds. */
  everything: boolean;
  /** True when all that is in the inbox is kept. */
  whole_inbox: boolean;
  keeps(row: Row): boolean;
}

export function planOf(criteria: Criterion[]): Plan {
  const bounds = criteria.reduce<ListRange>((all, criterion) => within(all, criterion.bounds ?? {}), {
    list: listNames.all,
  });
  const own = criteria.flatMap((criterion) => criterion.unions);
  const unions = own.length > 0 ? own : [[{ list: listNames.all }]];
  return {
    unions: unions.map((ranges) => ranges.map((range) => within(range, bounds))),
    exact: criteria.reduce<Exactness>(
      (worst, { exact }) => (WORST.indexOf(exact) < WORST.indexOf(worst) ? exact : worst),
      'always',
    ),
    everything: own.length === 0 && criteria.every((criterion) => !criterion.bounds),
    whole_inbox: criteria.length === 1 && criteria[0] === received,
    keeps: (row) => criteria.every((criterion) => criterion.keeps(row)),
  };
}

/** The plan's ranges before a place in the list. */
export function unionsBefore(plan: Plan, before: string | undefined): ListRange[][] {
  return plan.unions.map((ranges) => ranges.map((range) => within(range, { before })));
}
