import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { pageSize } from '#shared/domain/platform/postings/page.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import { rangesOf, sortedAfter } from './find.ts';
import { type Query, readMatching } from './matching.ts';
import { type Plan, planIn } from './plan.ts';
import { idsOf } from './ranks.ts';

/** A part of a list, from a number on. */

/** Postings of the first read: DynamoDB stops at 1 MB. */
const LARGEST = 8_000;
/** Records checked together. */
const ROWS = 500;

export interface Part {
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
export async function readPart<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  part: Part,
  plan = planIn(ctx, query.index, query.criteria, query.sort),
): Promise<R[]> {
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

export interface Found<R> {
  rows: R[];
  total: number;
}

export async function sortedPart<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  ids: string[],
  { skip, limit }: Part,
): Promise<Found<R>> {
  const all = sortedAfter(query, await readMatching(ctx, query, ids), undefined);
  return { rows: all.slice(skip, skip + limit), total: all.length };
}
