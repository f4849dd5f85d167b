import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import type { Clauses, Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { countPages } from '#shared/domain/platform/postings/count.ts';
import { isEmpty, type ListRange, rangeQuery, within } from '#shared/domain/platform/postings/reader.ts';
import { missing, present } from '#shared/table/table.ts';
import { type Plan, planOf } from './plan.ts';
import { isOfMailboxes, listNames, type ThreadPosting } from './postings.ts';
import { readLists } from './read.ts';
import { type Order, readRows } from './rows.ts';

/** Counts the threads of a plan, up to `cap`. */

/** Postings of the first read, and threads checked together. */
const PAGE = 1_000;
/** Postings counted together when only threads seen through a share are checked. */
const PLACES = 10_000;
/** Threads checked one by one before lists are merged instead. */
const MAX_LOOKED_AT = 1_000;

/**
 * Lists match what the user may see, except after access to a mailbox was revoked and until the lists are updated, and
 * for threads seen through a share.
 */
function listsAreCurrent({ user }: Caller): boolean {
  return Object.keys(user.indexed_mailboxes).every((id) => Object.hasOwn(user.mailboxes, id));
}

type Range = ListRange<ThreadPosting>;

type Stops = () => boolean;

function readAll(ctx: CallerContext, clauses: Clauses<Range>, stops?: Stops): Conjunction<ThreadPosting> {
  const reading = { page_size: PAGE, max_steps: Number.POSITIVE_INFINITY };
  return readLists(ctx, clauses, { ...reading, ...(stops ? { stops } : {}) });
}

/** Counts threads by checking each one. */
async function countRows(
  ctx: CallerContext,
  plan: Plan,
  postings: ThreadPosting[],
  order: Order = 'rank',
): Promise<number> {
  return (await readRows(ctx, postings, order)).filter(plan.keeps).length;
}

const isThroughShare = (posting: ThreadPosting) => posting.through_share === true;

/** Lists of words may have it by what one of its mailboxes has of it. */
const isDoubtful = (posting: ThreadPosting) => isThroughShare(posting) || posting.of_several === true;

interface Counting {
  cap: number;
  /** True when the rest does not matter. */
  stops?: Stops;
}

async function countByRows(
  ctx: CallerContext,
  plan: Plan,
  clauses: Clauses<Range>,
  { cap, stops }: Counting,
): Promise<number> {
  const found = readAll(ctx, clauses, stops);
  return countPages(found, { cap, largest: PAGE }, async (postings) =>
    stops?.() ? 0 : countRows(ctx, plan, postings),
  );
}

/** Counts threads in all clauses; those seen through a share are checked, and with words those of several mailboxes. */
function countByLists(ctx: CallerContext, plan: Plan, clauses: Clauses<Range>, cap: number): Promise<number> {
  const found = readAll(ctx, clauses);
  const byWords = clauses.flat().some(({ list }) => isOfMailboxes(list));
  const isChecked = byWords ? isDoubtful : isThroughShare;
  return countPages(found, { cap, largest: PLACES }, async (postings) => {
    const checked = postings.filter(isChecked);
    return postings.length - checked.length + (await countRows(ctx, plan, checked));
  });
}

/** Threads of a list that a share opens, at least in part; the user may see others through a share as well. */
function throughShares(range: Range): Clauses<Range> {
  const opened = (['direct', 'group'] as const).map((how) => ({
    ...within({ list: listNames.shared(how) }, range),
    filter: { through_share: present },
  }));
  // The list of all contains everything: no merge is needed.
  return range.list === listNames.all ? [opened] : [[range], opened];
}

/** Counts one list with a COUNT query. */
async function countOneList(ctx: CallerContext, plan: Plan, range: Range, cap: number): Promise<number> {
  if (isEmpty(range)) return 0;
  const query = rangeQuery<ThreadPosting>({ ...range, owner: ctx.caller.user.id });
  let counted = 0;
  const others = { ...query, filter: { ...range.filter, through_share: missing } };
  const counting = ctx.table.count<ThreadPosting>(others, cap).then((count) => {
    counted = count;
  });
  // The merge may have to read the whole list.
  const stops = () => counted >= cap;
  const [opened] = await Promise.all([
    countByRows(ctx, plan, throughShares(range), { cap, stops }),
    counting,
  ]);
  return counted + opened;
}

async function countUpTo(ctx: CallerContext, plan: Plan, cap: number): Promise<number> {
  const { clauses } = plan;
  if (plan.exact === 'never' || !listsAreCurrent(ctx.caller)) return countByRows(ctx, plan, clauses, { cap });
  const [only] = clauses.length === 1 && clauses[0]?.length === 1 ? clauses[0] : [];
  if (plan.exact === 'always')
    return only ? countOneList(ctx, plan, only, cap) : countByLists(ctx, plan, clauses, cap);
  const few = readAll(ctx, clauses);
  const postings = await few.take(MAX_LOOKED_AT);
  if (!few.ended) return countByLists(ctx, plan, [...clauses, [{ list: listNames.all }]], cap);
  const found = { take: async (most: number) => postings.splice(0, most) };
  return countPages(found, { cap, largest: PAGE }, (page) => countRows(ctx, plan, page));
}

/** Counts the whole inbox, which has a list of its own. */
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

/** Exact without `cap`, and up to it (docs/specification/requests.md, "Counts"). */
export async function countThreads(ctx: CallerContext, plan: Plan, cap: number | undefined) {
  const most = cap ?? Number.POSITIVE_INFINITY;
  const total = plan.whole_inbox ? await countInbox(ctx, most) : await countUpTo(ctx, plan, most);
  const capped = cap !== undefined && total >= cap;
  return { total: capped ? cap : total, exact: !capped, capped, cap: cap ?? null };
}
