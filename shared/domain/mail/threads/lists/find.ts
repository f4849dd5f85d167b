import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { findPage, firstOf, MAX_STEPS, type Page, pageSize } from '#shared/domain/platform/postings/page.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import { within } from '#shared/domain/platform/postings/reader.ts';
import type { Row } from './criteria.ts';
import type { Plan } from './plan.ts';
import { listNames, type ThreadPosting } from './postings.ts';
import { ownedRanges, readLists } from './read.ts';
import { type Order, readRows } from './rows.ts';

/** A page of the threads of a plan. */
export type ThreadPage = Page<Row>;

export interface ThreadPaging {
  after: string | undefined;
  limit: number;
  /** Called with the postings before the threads are read. */
  onPostings?: (postings: ThreadPosting[]) => void;
}

/** How to read the rows of a plan. */
function reading(ctx: CallerContext, plan: Plan, order: Order, { limit, onPostings }: ThreadPaging) {
  return {
    limit,
    rowsOf: async (postings: ThreadPosting[]) => {
      onPostings?.(postings);
      return (await readRows(ctx, postings, order)).filter(plan.keeps);
    },
    rankOf: ({ entry }: Row) => entry[order] ?? '',
  };
}

/** The caller's threads, newest sent first. */
export function findThreads(ctx: CallerContext, plan: Plan, paging: ThreadPaging): Promise<ThreadPage> {
  const clauses = narrowed(plan.clauses, { before: paging.after });
  const found = readLists(ctx, clauses, {
    page_size: pageSize(ownedRanges(ctx, clauses), paging.limit),
    max_steps: MAX_STEPS,
  });
  return findPage(found, reading(ctx, plan, 'rank', paging));
}

/** Up to this many threads of a plan are read whole and sorted. */
const MAX_SORTED = 500;

async function findSorted(
  ctx: CallerContext,
  plan: Plan,
  paging: ThreadPaging,
): Promise<ThreadPage | undefined> {
  const found = readLists(ctx, plan.clauses, { page_size: MAX_SORTED + 1, max_steps: MAX_STEPS });
  const postings = await found.take(MAX_SORTED + 1);
  if (postings.length > MAX_SORTED || !found.ended) return undefined;
  const kept = await reading(ctx, plan, 'rank', paging).rowsOf(postings);
  const rows = kept.filter(
    (row) => inboxRank(row) !== '' && (!paging.after || inboxRank(row) < paging.after),
  );
  rows.sort((a, b) => (inboxRank(a) > inboxRank(b) ? -1 : 1));
  return firstOf({ rows, next: null }, { limit: paging.limit, rankOf: inboxRank });
}

const inboxRank = ({ entry }: Row) => entry.inbox_rank ?? '';

/** The caller's threads that received mail, newest received first. */
export async function findInbox(ctx: CallerContext, plan: Plan, paging: ThreadPaging): Promise<ThreadPage> {
  const sorted = plan.everything ? undefined : await findSorted(ctx, plan, paging);
  if (sorted) return sorted;
  const inbox = within({ list: listNames.inbox }, { before: paging.after });
  const found = readLists(ctx, [[inbox]], { page_size: paging.limit + 1, max_steps: MAX_STEPS });
  return findPage(found, reading(ctx, plan, 'inbox_rank', paging));
}
