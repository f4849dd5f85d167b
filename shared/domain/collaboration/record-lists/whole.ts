import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { findRecords } from './find.ts';
import type { Query } from './matching.ts';
import { planIn } from './plan.ts';
import { idsOf } from './ranks.ts';

/** Records that are read together. */
const PAGE = 100;
/** Postings of the first read. */
const FIRST = 500;

/** The ids of all records in exact lists, in the order of their words, without reading the records. */
export async function findAllIds<R extends GuardedItem>(
  ctx: CallerContext,
  { index, criteria }: Pick<Query<R>, 'index' | 'criteria'>,
): Promise<string[]> {
  const { clauses } = planIn(ctx, index, criteria, index.words_by);
  const reading = { page_size: FIRST, max_steps: Number.POSITIVE_INFINITY, order: 'asc' as const };
  const postings = await new Conjunction(ctx.table, clauses, reading).take(Number.POSITIVE_INFINITY);
  return idsOf(postings);
}

/** All records of a list, for types of which an account has few. */
export async function findAllRecords<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
): Promise<R[]> {
  const found = new Map<string, R>();
  let after: string | undefined;
  do {
    const page = await findRecords(ctx, query, { limit: PAGE, after });
    for (const record of page.rows) {
      // One that moves meanwhile is on two pages; its place is the later one.
      found.delete(record.id);
      found.set(record.id, record);
    }
    after = page.next ?? undefined;
  } while (after !== undefined);
  return [...found.values()];
}
