import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { findPage, firstOf, MAX_STEPS, pageSize } from '#shared/domain/platform/postings/page.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { isAhead } from '#shared/domain/platform/postings/reader.ts';
import { type Query, readMatching } from './matching.ts';
import { hasOthers, pagesOfOthers } from './others.ts';
import { type Plan, planIn } from './plan.ts';
import { idOf, idsOf } from './ranks.ts';
import { fewOf, listIn } from './selected.ts';
import { type Paging, type PlacedPage, rangesOf, rankIn, sortedAfter } from './sorted.ts';

/** Pages of the records that the caller sees and that match all criteria. */

/** What is read in the wanted order. */
export interface InOrder {
  exact: boolean;
  /** One after the other. */
  lists: Conjunction<Posting>[];
}

/** Whether all that is wanted has been read. */
const hasRead = ({ exact, lists: [first] }: InOrder, wanted: number) =>
  exact && first !== undefined && first.ready >= wanted;

/**
 * The ids of all records that a selective criterion leaves; undefined when there are too many, or no such criterion: then
 * the wanted order is read on, whose first read is done beside.
 */
export async function fewOr<R extends GuardedItem>(
  ctx: CallerContext,
  { index, criteria, sort }: Query<R>,
  { inOrder, wanted }: { inOrder: InOrder; wanted: number },
): Promise<string[] | undefined> {
  const known = criteria.find(({ ids }) => ids);
  if (known?.ids) return known.ids;
  const isNarrow = index.narrow?.includes(sort);
  const [other] = criteria.flatMap(({ range, terms }) => {
    const order = range?.order ?? (terms || isNarrow ? index.words_by : sort);
    // Not every type is listed in every order that its moments have.
    return order === sort || !(order in index.orders) ? [] : [order];
  });
  if (other === undefined) return undefined;
  const all = listIn(ctx, { index, criteria }, other);
  await Promise.all([all.readOnce(), inOrder.lists[0]?.readOnce()]);
  return hasRead(inOrder, wanted) ? undefined : fewOf(all);
}

/** Where records without a value begin. */
const OTHERS = '0';

/** Lists that are each read as if they had the whole page: ten values have some lists each, of which most are short. */
const MERGED_WHOLE = 60;

interface Reading {
  after?: string | undefined;
  /** Postings of the first read, by the clauses of a list. */
  size(clauses: Plan['clauses']): number;
  max_steps: number;
}

/** What a plan leaves of the order, one list after the other. */
export const listsIn = <R extends GuardedItem>(
  { table }: CallerContext,
  query: Query<R>,
  { clauses }: Plan,
  { after, size, max_steps }: Reading,
): Conjunction<Posting>[] =>
  rangesOf(query, after).map((bounds) => {
    const narrow = narrowed(clauses, bounds);
    return new Conjunction(table, narrow, { page_size: size(narrow), max_steps, order: query.order });
  });

async function findInOrder<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  { lists, limit }: { lists: Conjunction<Posting>[]; limit: number },
): Promise<PlacedPage<R>> {
  const { order } = query;
  const rows: R[] = [];
  const found = new Map<string, string>();
  const rankOf = ({ id }: R) => found.get(id) as string;
  for (const list of lists) {
    // A full page needs to know only whether there is more.
    const left = Math.max(1, limit - rows.length);
    const page = await findPage(list, {
      limit: left,
      order,
      rowsOf: (postings) => {
        // One that moves while the lists are read is in both places.
        const further = postings.filter(({ SK }) => {
          const isKnown = found.has(idOf(SK));
          if (!isKnown) found.set(idOf(SK), SK);
          return !isKnown;
        });
        return readMatching(ctx, query, idsOf(further));
      },
      rankOf,
    });
    if (rows.length === limit)
      return { rows, next: page.rows.length > 0 || page.next ? OTHERS : null, rankOf };
    rows.push(...page.rows);
    if (page.next !== null) return { rows, next: page.next, rankOf };
  }
  return { rows, next: null, rankOf };
}

/** The first rank in the lists, without reading its record. */
export async function findFirstRank<R extends GuardedItem>(
  ctx: CallerContext,
  { index, criteria, sort, order }: Query<R>,
): Promise<string | undefined> {
  const { clauses } = planIn(ctx, index, criteria, sort);
  const found = new Conjunction(ctx.table, clauses, { page_size: 1, max_steps: MAX_STEPS, order });
  return (await found.next())?.SK;
}

/** Without those that match although the lists do not say so. */
async function findListed<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  paging: Paging,
): Promise<PlacedPage<R>> {
  const { limit, after } = paging;
  const plan = planIn(ctx, query.index, query.criteria, query.sort);
  const size = (clauses: Plan['clauses']) => pageSize(clauses, limit, MERGED_WHOLE);
  const lists = listsIn(ctx, query, plan, { after, size, max_steps: MAX_STEPS });
  const inOrder = { exact: plan.exact, lists };
  const ids = await fewOr(ctx, query, { inOrder, wanted: limit + 1 });
  if (!ids) return findInOrder(ctx, query, { lists, limit });
  const rows = sortedAfter(query, await readMatching(ctx, query, ids), paging.after);
  const rank = rankIn(query);
  const page = firstOf({ rows, next: null }, { limit: paging.limit, order: query.order, rankOf: rank });
  return { ...page, rankOf: rank };
}

/** Both together, up to where one of them was read. */
function merged<R extends GuardedItem>(
  query: Query<R>,
  { listed, others }: { listed: PlacedPage<R>; others: PlacedPage<R> },
  { limit, after }: Paging,
): PlacedPage<R> & { isFull: boolean } {
  const { order } = query;
  // One that changed between both readings is in both.
  const known = new Set(listed.rows.map(({ id }) => id));
  const rank = (record: R) => (known.has(record.id) ? listed : others).rankOf(record);
  const behind = new Set(
    listed.next === null ? [] : sortedAfter(query, others.rows, listed.next, others.rankOf),
  );
  const here = sortedAfter(query, others.rows, after, others.rankOf).filter(
    (each) => !behind.has(each) && !known.has(each.id),
  );
  const { next } = others;
  const isShort = next !== null && (listed.next === null || isAhead[order](next, listed.next));
  const unread = isShort ? new Set(sortedAfter(query, listed.rows, next, rank)) : new Set();
  const rows = [...listed.rows.filter((each) => !unread.has(each)), ...here].sort((a, b) =>
    isAhead[order](rank(a), rank(b)) ? -1 : 1,
  );
  const page = firstOf({ rows, next: isShort ? next : listed.next }, { limit, order, rankOf: rank });
  return { ...page, rankOf: rank, isFull: !isShort || rows.length > limit };
}

export async function findRecords<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  paging: Paging,
): Promise<PlacedPage<R>> {
  const further = pagesOfOthers(ctx, query, paging);
  const [listed, first] = await Promise.all([
    findListed(ctx, query, paging).then((page) => {
      // The others take longer.
      if (hasOthers(query)) query.expect?.(page.rows);
      return page;
    }),
    further.next(),
  ]);
  for (let others = first; !others.done; others = await further.next()) {
    const { isFull, ...page } = merged(query, { listed, others: others.value }, paging);
    if (isFull) return page;
  }
  return listed;
}
