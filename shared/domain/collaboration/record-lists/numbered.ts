import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { pageSize } from '#shared/domain/platform/postings/page.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import { countRecords } from './count.ts';
import { few, rangesOf, sortedAfter } from './find.ts';
import { type Query, readMatching } from './matching.ts';
import { type Plan, planIn } from './plan.ts';
import { idsOf } from './ranks.ts';

/** Pages of a list by their numbers, with the number of all records. */

/** Postings of the first read: DynamoDB stops at 1 MB. */
const LARGEST = 8_000;
/** Records checked together. */
const ROWS = 500;

interface Part {
  skip: number;
  limit: number;
}

/** The ids that the lists name, in the order of the query, up to `at_once` at a time. */
async function* idsIn<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  { plan, at_once }: { plan: Plan; at_once: number },
): AsyncGenerator<string[]> {
  for (const bounds of rangesOf(query, undefined)) {
    const clauses = narrowed(plan.clauses, bounds);
    const found = new Conjunction(ctx.table, clauses, {
      page_size: Math.min(LARGEST, pageSize(clauses, at_once)),
      max_steps: Number.POSITIVE_INFINITY,
      order: query.order,
    });
    while (!found.ended) yield idsOf(await found.take(at_once));
  }
}

async function partOf<T>(pages: AsyncIterable<T[]>, { skip, limit }: Part): Promise<T[]> {
  const found: T[] = [];
  for await (const page of pages) {
    found.push(...page);
    if (found.length >= skip + limit) break;
  }
  return found.slice(skip, skip + limit);
}

/** Where the lists decide alone, only the records of the page are read; else all before them as well. */
async function readPart<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  part: Part,
): Promise<R[]> {
  const plan = planIn(ctx, query.index, query.criteria, query.sort);
  if (plan.exact) {
    const ids = idsIn(ctx, query, { plan, at_once: part.skip + part.limit });
    return readMatching(ctx, query, await partOf(ids, part));
  }
  const matching = async function* () {
    for await (const ids of idsIn(ctx, query, { plan, at_once: ROWS }))
      yield await readMatching(ctx, query, ids);
  };
  return partOf(matching(), part);
}

/** Page `page` from 1; pages behind the last one are empty. The cost grows with the number of the page. */
export async function findNumbered<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  { page, per_page }: { page: number; per_page: number },
): Promise<{ rows: R[]; total: number }> {
  const skip = (page - 1) * per_page;
  const ids = await few(ctx, query);
  if (ids) {
    const all = sortedAfter(query, await readMatching(ctx, query, ids), undefined);
    return { rows: all.slice(skip, skip + per_page), total: all.length };
  }
  const [rows, { total }] = await Promise.all([
    readPart(ctx, query, { skip, limit: per_page }),
    countRecords(ctx, query, undefined),
  ]);
  return { rows, total };
}
