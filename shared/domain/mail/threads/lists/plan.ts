import * as postings from '#shared/domain/platform/postings/plan.ts';
import { type Criterion, type Row, received } from './criteria.ts';
import { listNames, type ThreadPosting } from './postings.ts';

/** How the threads that meet all criteria are found. */
export interface Plan extends postings.Plan<Row, ThreadPosting> {
  /** True when all that is in the inbox is kept. */
  whole_inbox: boolean;
}

export function planOf(criteria: Criterion[]): Plan {
  return {
    ...postings.planOf(criteria, listNames.all),
    whole_inbox: criteria.length === 1 && criteria[0] === received,
  };
}
