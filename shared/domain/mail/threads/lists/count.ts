import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import type { Clauses, Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { countPages } from '#shared/domain/platform/postings/count.ts';
import { isEmpty, type ListRange, rangeQuery, within } from '#shared/domain/platform/postings/reader.ts';
import { missing, present } from '#shared/table/table.ts';
import { type Plan, planOf } from './plan.ts';
import { listNames, type ThreadPosting } from './postings.ts';
import { readLists } from './read.ts';
import { type Order, readRows } from './rows.ts';

/** How many threads a plan keeps. Counting stops at `cap`. */

/** Postings read at first, and threads looked at together. */
const PAGE = 1_000;
/** Places counted together where only those that a share opens are looked at. */
const PLACES = 10_000;
/** Threads looked at one by one before lists are compared instead. */
const MAX_LOOKED_AT = 1_000;

/**
 * Lists are right about what the user may see unless access to a mailbox was taken and the lists have not been cleared
 * of it yet, or it is a share that opens the thread.
 */
function listsAreCurrent({ user }: Caller): boolean {
  return Object.keys(user.indexed_mailboxes).every((id) => Object.hasOwn(user.mailboxes, id));
}

type Range = ListRange<ThreadPosting>;

function readAll(ctx: CallerContext, clauses: Clauses<Range>): Conjunction<ThreadPosting> {
  return readLists(ctx, clauses, { page_size: PAGE, max_steps: Number.POSITIVE_INFINITY });
}

/** Threads that are looked at one by one. */
async function countRows(
  ctx: CallerContext,
  plan: Plan,
  postings: ThreadPosting[],
  order: Order = 'rank',
): Promise<number> {
  return (await readRows(ctx, postings, order)).filter(plan.keeps).length;
}

const isThroughShare = (posting: ThreadPosting) => posting.through_share === true;

function countByRows(ctx: CallerContext, plan: Plan, clauses: Clauses<Range>, cap: number): Promise<number> {
  const found = readAll(ctx, clauses);
  return countPages(found, { cap, largest: PAGE }, (postings) => countRows(ctx, plan, postings));
}

/** Threads that stand in all clauses; those that a share opens are looked at. */
function countByLists(ctx: CallerContext, plan: Plan, clauses: Clauses<Range>, cap: number): Promise<number> {
  const found = readAll(ctx, clauses);
  return countPages(found, { cap, largest: PLACES }, async (postings) => {
    const shared = postings.filter(isThroughShare);
    return postings.length - shared.length + (await countRows(ctx, plan, shared));
  });
}

/** Threads of a list that a share opens, at least in part; others may be shared with the user as well. */
function throughShares(range: Range): Clauses<Range> {
  const opened = (['direct', 'group'] as const).map((how) => ({
    ...within({ list: listNames.shared(how) }, range),
    filter: { through_share: present },
  }));
  // Everything is in the list of all: there is nothing to compare.
  return range.list === listNames.all ? [opened] : [[range], opened];
}

/** One list of which nothing has to be sent: DynamoDB counts it. */
async function countOneList(ctx: CallerContext, plan: Plan, range: Range, cap: number): Promise<number> {
  if (isEmpty(range)) return 0;
  const query = rangeQuery<ThreadPosting>({ ...range, owner: ctx.caller.user.id });
  const [counted, opened] = await Promise.all([
    ctx.table.count<ThreadPosting>({ ...query, filter: { ...range.filter, through_share: missing } }, cap),
    countByRows(ctx, plan, throughShares(range), cap),
  ]);
  return counted + opened;
}

async function countUpTo(ctx: CallerContext, plan: Plan, cap: number): Promise<number> {
  const { clauses } = plan;
  if (plan.exact === 'never' || !listsAreCurrent(ctx.caller)) return countByRows(ctx, plan, clauses, cap);
  const [only] = clauses.length === 1 && clauses[0]?.length === 1 ? clauses[0] : [];
  if (plan.exact === 'always')
    return only ? countOneList(ctx, plan, only, cap) : countByLists(ctx, plan, clauses, cap);
  const few = readAll(ctx, clauses);
  const postings = await few.take(MAX_LOOKED_AT);
  if (!few.ended) return countByLists(ctx, plan, [...clauses, [{ list: listNames.all }]], cap);
  const found = { take: async (most: number) => postings.splice(0, most) };
  return countPages(found, { cap, largest: PAGE }, (page) => countRows(ctx, plan, page));
}

/** The whole inbox, which is a list of its own order. */
function countInbox(ctx: CallerContext, cap: number): Promise<number> {
  const found = readAll(ctx, [[{ list: listNames.inbox }]]);
  const current = listsAreCurrent(ctx.caller);
  const everything = planOf([]);
  return countPages(found, { cap, largest: PLACES }, async (postings) => {
    const checked = postings.filter((posting) => !current || posting.through_share);
    const opened = await countRows(ctx, everything, checked, 'inbox_rank');
    return postings.length - checked.length + opened;
  });
}

/** Exact without `cap`, and below it (docs/specification/requests.md, "Counts"). */
export async function countThreads(ctx: CallerContext, plan: Plan, cap: number | undefined) {
  const most = cap ?? Number.POSITIVE_INFINITY;
  const total = plan.whole_inbox ? await countInbox(ctx, most) : await countUpTo(ctx, plan, most);
  const capped = cap !== undefined && total >= cap;
  return { total: capped ? cap : total, exact: !capped, capped, cap: cap ?? null };
}
