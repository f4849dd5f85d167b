import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { findPage, firstOf, MAX_STEPS, pageSize } from '#shared/domain/platform/postings/page.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { isAhead } from '#shared/domain/platform/postings/reader.ts';
import { listsIn } from './in-order.ts';
import { type Query, readMatching } from './matching.ts';
import { areUnlisted, type Join, knownByOther } from './other-order.ts';
import { hasOthers, pagesOfOthers } from './others.ts';
import { type Plan, planIn } from './plan.ts';
import { idOf, idsOf } from './ranks.ts';
import { type Paging, type PlacedPage, rankIn, sortedAfter } from './sorted.ts';

/** Pages of the records that the caller sees and that match all criteria. */

/** Where records without a value begin. */
const OTHERS = '0';

/** Lists that are each read as if they had the whole page: ten values have some lists each, of which most are short. */
const MERGED_WHOLE = 60;

/** Where records are checked that the lists do not tell: so many for each of the page, and postings in the reads. */
const CHECKED = 2.5;
const UNLISTED = { first: 3, growth: 16 };

interface Lists {
  lists: Conjunction<Posting>[];
  limit: number;
  join?: Join | undefined;
}

async function findInOrder<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  { lists, limit, join }: Lists,
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
      ...(join ? { join, first: Math.ceil(CHECKED * (left + 1)) } : {}),
      rowsOf: async (postings) => {
        // One that moves while the lists are read is in both places.
        const further = postings.filter(({ SK }) => {
          const isKnown = found.has(idOf(SK));
          if (!isKnown) found.set(idOf(SK), SK);
          return !isKnown;
        });
        const [matching] = await Promise.all([readMatching(ctx, query, idsOf(further)), join?.readOn()]);
        return matching;
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
  const unlisted = areUnlisted(query);
  const size = (clauses: Plan['clauses']) =>
    Math.max(unlisted ? UNLISTED.first * (limit + 1) : 0, pageSize(clauses, limit, MERGED_WHOLE));
  const growth = unlisted ? UNLISTED.growth : undefined;
  const lists = listsIn(ctx, query, plan, { after, size, growth, max_steps: MAX_STEPS });
  const inOrder = { exact: plan.exact, lists };
  const { ids, join } = await knownByOther(ctx, query, { inOrder, wanted: limit + 1 });
  if (!ids) return findInOrder(ctx, query, { lists, limit, join });
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
