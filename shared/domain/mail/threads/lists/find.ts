import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Candidates } from './candidates.ts';
import type { Row } from './criteria.ts';
import { type Plan, unionsBefore } from './plan.ts';
import { listNames, type Posting } from './postings.ts';
import { type ListRange, within } from './reader.ts';
import { type Order, readRows } from './rows.ts';

/** A page of the threads that a plan keeps. */
export interface ThreadPage {
  rows: Row[];
  /** Rank to go on from; null at the end. */
  next: string | null;
}

/** Steps of reading lists, and threads looked at, for one page; then it is answered short, with a cursor. */
const MAX_STEPS = 16;
const MAX_LOOKED_AT = 1_000;

export interface Page {
  after: string | undefined;
  limit: number;
  /** Told what postings say before the threads themselves are read. */
  onPostings?: (postings: Posting[]) => void;
}

/** Reads on until a page is full, everything was read, or enough was looked at. */
async function collect(
  ctx: CallerContext,
  candidates: Candidates,
  keeps: (row: Row) => boolean,
  order: Order,
  { limit, onPostings }: Page,
): Promise<ThreadPage> {
  const rows: Row[] = [];
  let lookedAt = 0;
  let wanted = limit + 1;
  while (rows.length <= limit && lookedAt < MAX_LOOKED_AT) {
    const postings = await candidates.take(wanted);
    if (postings.length === 0) break;
    onPostings?.(postings);
    rows.push(...(await readRows(ctx, postings, order)).filter(keeps));
    lookedAt += postings.length;
    // Where few are kept, more are looked at in the next step.
    wanted = Math.min(2 * wanted, 200);
  }
  return { rows, next: candidates.ended ? null : candidates.position };
}

function cut({ rows, next }: ThreadPage, limit: number, order: Order): ThreadPage {
  if (rows.length <= limit) return { rows, next };
  const page = rows.slice(0, limit);
  return { rows: page, next: page.at(-1)?.entry[order] ?? null };
}

/** The caller's threads, newest sent first. */
export async function findThreads(ctx: CallerContext, plan: Plan, page: Page): Promise<ThreadPage> {
  const unions = unionsBefore(plan, page.after);
  const candidates = new Candidates(ctx.table, ctx.caller.user.id, unions, {
    page_size: pageSize(unions, page.limit),
    max_steps: MAX_STEPS,
  });
  return cut(await collect(ctx, candidates, plan.keeps, 'rank', page), page.limit, 'rank');
}

/** Postings read at first: of lists of which a filter keeps a part, together; of lists that are compared, each. */
const FILTERED = 1_600;
const COMPARED = 200;
/** Up to so many joined lists, each is read as if the whole page were in it, so that one step is enough. */
const WHOLE = 20;
const FEWEST = 25;

function pageSize(unions: ListRange[][], limit: number): number {
  const ranges = unions.flat();
  if (ranges.some((range) => range.filter)) return Math.max(COMPARED, Math.floor(FILTERED / ranges.length));
  if (unions.length > 1) return COMPARED;
  const whole = limit + 1;
  return Math.min(whole, Math.max(FEWEST, Math.floor((WHOLE * whole) / ranges.length)));
}

/** Threads that a plan keeps, when there are no more than this: then they are read whole and sorted. */
const MAX_SORTED = 500;

async function findSorted(ctx: CallerContext, plan: Plan, page: Page): Promise<ThreadPage | undefined> {
  const candidates = new Candidates(ctx.table, ctx.caller.user.id, plan.unions, {
    page_size: MAX_SORTED + 1,
    max_steps: MAX_STEPS,
  });
  const postings = await candidates.take(MAX_SORTED + 1);
  if (postings.length > MAX_SORTED || !candidates.ended) return undefined;
  page.onPostings?.(postings);
  const rows = (await readRows(ctx, postings, 'rank')).filter(
    (row) => plan.keeps(row) && inboxRank(row) !== '' && (!page.after || inboxRank(row) < page.after),
  );
  rows.sort((a, b) => (inboxRank(a) > inboxRank(b) ? -1 : 1));
  return cut({ rows, next: null }, page.limit, 'inbox_rank');
}

const inboxRank = ({ entry }: Row) => entry.inbox_rank ?? '';

/** The caller's threads that received mail, newest received first. */
export async function findInbox(ctx: CallerContext, plan: Plan, page: Page): Promise<ThreadPage> {
  const sorted = plan.everything ? undefined : await findSorted(ctx, plan, page);
  if (sorted) return sorted;
  const inbox = within({ list: listNames.inbox }, { before: page.after });
  const candidates = new Candidates(ctx.table, ctx.caller.user.id, [[inbox]], {
    page_size: page.limit + 1,
    max_steps: MAX_STEPS,
  });
  return cut(await collect(ctx, candidates, plan.keeps, 'inbox_rank', page), page.limit, 'inbox_rank');
}
