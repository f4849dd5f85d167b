import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import type { Query } from './matching.ts';
import type { Plan } from './plan.ts';
import { rangesOf } from './sorted.ts';

/** What is read in the wanted order. */
export interface InOrder {
  exact: boolean;
  /** One after the other. */
  lists: Conjunction<Posting>[];
}

interface Reading {
  after?: string | undefined;
  /** Postings of the first read, by the clauses of a list. */
  size(clauses: Plan['clauses']): number;
  growth?: number | undefined;
  max_steps: number;
}

/** What a plan leaves of the order, one list after the other. */
export const listsIn = <R extends GuardedItem>(
  { table }: CallerContext,
  query: Query<R>,
  { clauses }: Plan,
  { after, size, growth, max_steps }: Reading,
): Conjunction<Posting>[] =>
  rangesOf(query, after).map((bounds) => {
    const narrow = narrowed(clauses, bounds);
    return new Conjunction(table, narrow, { page_size: size(narrow), growth, max_steps, order: query.order });
  });
