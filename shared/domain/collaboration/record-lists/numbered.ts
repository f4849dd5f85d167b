import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { countRecords, datedAlone } from './count.ts';
import { findDated } from './dated.ts';
import { fewOr } from './find.ts';
import { type Query, readMatching } from './matching.ts';
import { type Found, idsOfMany, listsOfPart, readPart, sortedPart } from './part.ts';
import { planIn } from './plan.ts';

/** Pages of a list by their numbers, with the number of all records. */

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
  if (many)
    return {
      rows: await readMatching(ctx, query, many.slice(part.skip, part.skip + per_page)),
      total: many.length,
    };
  const from = listsOfPart(ctx, query, part, plan);
  const ids = await fewOr(ctx, query, { inOrder: from, wanted: part.skip + per_page });
  if (ids) return sortedPart(ctx, query, ids, part);
  const [rows, { total }] = await Promise.all([
    readPart(ctx, query, part, from),
    countRecords(ctx, query, undefined),
  ]);
  return { rows, total };
}
