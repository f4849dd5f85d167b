import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { countRecords, datedAlone } from './count.ts';
import { findDated } from './dated.ts';
import { type Query, readMatching } from './matching.ts';
import { areUnlisted, knownByOther } from './other-order.ts';
import { packedClauses, readPacked } from './packed.ts';
import { type Found, idsOfMany, listsOfPart, type Part, readPart, sortedPart } from './part.ts';
import { planIn } from './plan.ts';

/** Pages of a list by their numbers, with the number of all records. */

/**
 * The records with the words of a query, by packed lists: where the wanted order has no lists of words, and decides on everything
 * else.
 */
async function wordsBeside<R extends GuardedItem>(ctx: CallerContext, query: Query<R>) {
  const { index, criteria, sort } = query;
  const [words, others] = [criteria.filter(({ terms }) => terms), criteria.filter(({ terms }) => !terms)];
  const clauses = areUnlisted(query) ? packedClauses(index, words) : undefined;
  if (!clauses || !planIn(ctx, index, others, sort).exact) return undefined;
  const { size, has } = await readPacked(ctx, index, clauses);
  return { has, total: others.length > 0 ? undefined : size };
}

/** Of records that are known in their order. */
const pageOf = async <R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  ids: string[],
  { skip, limit }: Part,
): Promise<Found<R>> => ({
  rows: await readMatching(ctx, query, ids.slice(skip, skip + limit)),
  total: ids.length,
});

/** Page `page` from 1; pages behind the last one are empty. The cost grows with the number of the page. */
export async function findNumbered<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  { page, per_page }: { page: number; per_page: number },
): Promise<Found<R>> {
  const part = { skip: (page - 1) * per_page, limit: per_page };
  const dated = datedAlone(query);
  if (dated && dated.order !== query.sort) return findDated(ctx, query, dated, part);
  const plan = planIn(ctx, query.index, query.criteria, query.sort);
  const many = await idsOfMany(ctx, query, plan);
  if (many) return pageOf(ctx, query, many, part);
  const from = listsOfPart(ctx, query, part, plan);
  const [{ ids, join }, words] = await Promise.all([
    knownByOther(ctx, query, { inOrder: from, wanted: part.skip + per_page }),
    wordsBeside(ctx, query),
  ]);
  const ranked = join?.fewInOrder(query);
  if (ranked) return pageOf(ctx, query, ranked, part);
  if (ids) return sortedPart(ctx, query, ids, part);
  const [rows, total] = await Promise.all([
    readPart(ctx, query, part, words ? { ...from, exact: true, has: words.has } : from),
    words?.total ?? countRecords(ctx, query, undefined).then((count) => count.total),
  ]);
  return { rows, total };
}
