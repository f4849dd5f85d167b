import * as postings from '#shared/domain/platform/postings/plan.ts';
import { type Criterion, type Row, received } from './criteria.ts';
import { listNames, type ThreadPosting } from './postings.ts';

/** How to find the threads that match all criteria. */
export interface Plan extends postings.Plan<Row, ThreadPosting> {
  /** True when it matches everything in the inbox. */
  whole_inbox: boolean;
}

export function planOf(criteria: Criterion[]): Plan {
  return {
    ...postings.planOf(criteria, listNames.all),
    whole_inbox: criteria.length === 1 && criteria[0] === received,
  };
}
