import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { MAX_STEPS } from '#shared/domain/platform/postings/page.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import type { Query } from './matching.ts';
import { othersOf } from './others.ts';
import { planIn } from './plan.ts';
import { idsOf } from './ranks.ts';

/** Up to this many records are read whole and sorted, when the lists in the wanted order cannot tell them. */
export const MAX_SORTED = 300;

/** All records that match, in one order, to be read if there are few. */
export function listIn<R extends GuardedItem>(
  ctx: CallerContext,
  { index, criteria }: Pick<Query<R>, 'index' | 'criteria'>,
  order: string,
  most = MAX_SORTED,
): Conjunction<Posting> {
  // A few are as many in one list as in those of all periods.
  const { clauses } = planIn(ctx, index, criteria, order, { with_periods: false });
  return new Conjunction(ctx.table, clauses, { page_size: most + 1, max_steps: MAX_STEPS });
}

/** The ids of all in it; undefined for more than can be sorted. */
export async function fewOf(list: Conjunction<Posting>, most = MAX_SORTED): Promise<string[] | undefined> {
  const postings = await list.takeCandidates(most + 1);
  return postings.length <= most && list.ended ? idsOf(postings) : undefined;
}

/** The ids of all records that match, read in one order; undefined for more than can be sorted. */
export const fewIn = <R extends GuardedItem>(
  ctx: CallerContext,
  query: Pick<Query<R>, 'index' | 'criteria'>,
  order: string,
  most = MAX_SORTED,
) => fewOf(listIn(ctx, query, order, most), most);

/** The same for an order without lists: undefined without a criterion that selects some. */
export async function selected<R extends GuardedItem>(
  ctx: CallerContext,
  query: Pick<Query<R>, 'index' | 'criteria'>,
): Promise<string[] | undefined> {
  const { index, criteria } = query;
  const known = criteria.find(({ ids }) => ids);
  if (known?.ids) return known.ids;
  const [order] = criteria.flatMap(({ lists, parts, range, terms }) => {
    if (range) return [range.order];
    return lists || parts || terms ? [index.words_by] : [];
  });
  if (order === undefined) return undefined;
  const found = await fewIn(ctx, query, order);
  if (!found) return undefined;
  const others = await Promise.all(criteria.map(othersOf));
  return [...new Set([...found, ...others.flat()])];
}
