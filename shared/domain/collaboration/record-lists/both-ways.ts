import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { behind } from '#shared/domain/platform/postings/reader.ts';
import { findRecords } from './find.ts';
import type { Query } from './matching.ts';

/**
 * Pages of a list that is read in both directions. A page backwards is the same list read in the other order, and
 * reversed; so every record has a value in its order.
 */

/** A page begins at a position, or ends before one: bounds between two ranks. */
export type Position = { after: string } | { before: string } | undefined;

export interface PageBothWays<R> {
  rows: R[];
  /** Positions of the pages next to this one; null when there is none. */
  next: string | null;
  prev: string | null;
}

type Ascending<R extends GuardedItem> = Omit<Query<R>, 'order'>;

export async function findBothWays<R extends GuardedItem>(
  ctx: CallerContext,
  query: Ascending<R>,
  { limit, position }: { limit: number; position: Position },
): Promise<PageBothWays<R>> {
  const [onwards, backwards]: Query<R>[] = [
    { ...query, order: 'asc' },
    { ...query, order: 'desc' },
  ] as const;
  if (position && 'before' in position) {
    const { before } = position;
    const [page, beyond] = await Promise.all([
      findRecords(ctx, backwards, { limit, after: before }),
      findRecords(ctx, onwards, { limit: 1, after: before }),
    ]);
    const rows = page.rows.toReversed();
    const last = rows.at(-1);
    const more = beyond.rows.length > 0 || beyond.next !== null;
    return { rows, prev: page.next, next: more ? (last ? behind.asc(page.rankOf(last)) : before) : null };
  }
  const after = position?.after;
  const [page, beyond] = await Promise.all([
    findRecords(ctx, onwards, { limit, after }),
    after === undefined ? undefined : findRecords(ctx, backwards, { limit: 1, after }),
  ]);
  const [first] = page.rows;
  const more = beyond !== undefined && (beyond.rows.length > 0 || beyond.next !== null);
  return {
    rows: page.rows,
    next: page.next,
    prev: more ? (first ? page.rankOf(first) : (after as string)) : null,
  };
}
