import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { pageSize } from '#shared/domain/platform/postings/page.ts';
import { type InOrder, listsIn } from './in-order.ts';
import { type Query, readMatching } from './matching.ts';
import type { Plan } from './plan.ts';
import { idsOf } from './ranks.ts';
import { sortedAfter } from './sorted.ts';

/** A part of a list, from a number on. */

/** Postings of the first read: DynamoDB stops at 1 MB. */
const LARGEST = 8_000;
/** Records checked together. */
const ROWS = 500;

/** From this many lists on that are merged, they are short ones. */
const MANY_LISTS = 100;
/** Postings of the first read of one. */
const SHORT = 200;

export interface Part {
  skip: number;
  limit: number;
}

/** Where the part is read from: lists one after the other, up to `at_once` records at a time. */
export type PartLists = InOrder & {
  at_once: number;
  /** Which of the records match, where the lists do not tell. */
  has?(id: string): boolean;
};

export function listsOfPart<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  { skip, limit }: Part,
  plan: Plan,
): PartLists {
  const { exact } = plan;
  const at_once = exact ? skip + limit : ROWS;
  const size = (clauses: Plan['clauses']) => Math.min(LARGEST, pageSize(clauses, at_once));
  return { exact, lists: listsIn(ctx, query, plan, { size, max_steps: Number.POSITIVE_INFINITY }), at_once };
}

/** All ids of an exact plan that merges many lists, which are read once for a page and its number; undefined for others. */
export async function idsOfMany<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  plan: Plan,
): Promise<string[] | undefined> {
  const { clauses, exact } = plan;
  if (!exact || clauses.length > 1 || clauses.flat().length < MANY_LISTS) return undefined;
  const lists = listsIn(ctx, query, plan, { size: () => SHORT, max_steps: Number.POSITIVE_INFINITY });
  const found = await Promise.all(lists.map((list) => list.take(Number.POSITIVE_INFINITY)));
  return idsOf(found.flat());
}

async function* idsIn({ lists, at_once, has = () => true }: PartLists): AsyncGenerator<string[]> {
  for (const list of lists) while (!list.ended) yield idsOf(await list.take(at_once)).filter(has);
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
  from: PartLists,
): Promise<R[]> {
  if (from.exact) return readMatching(ctx, query, await partOf(idsIn(from), part));
  const matching = async function* () {
    for await (const ids of idsIn(from)) yield await readMatching(ctx, query, ids);
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
