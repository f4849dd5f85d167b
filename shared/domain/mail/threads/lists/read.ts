import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Clauses, Conjunction, type Reading } from '#shared/domain/platform/postings/conjunction.ts';
import type { ListRange, OwnedRange } from '#shared/domain/platform/postings/reader.ts';
import { isOfMailboxes, type ThreadPosting } from './postings.ts';

/** The ranges of the caller's lists, and of the mailboxes that the caller reads. */
export function ownedRanges(
  { caller: { user } }: CallerContext,
  clauses: Clauses<ListRange<ThreadPosting>>,
): Clauses<OwnedRange<ThreadPosting>> {
  const all = [user.id, ...Object.keys(user.mailboxes)];
  return clauses.map((ranges) =>
    ranges.flatMap((range) =>
      (isOfMailboxes(range.list) ? all : [user.id]).map((owner) => ({ ...range, owner })),
    ),
  );
}

/** The postings of the caller's lists, newest first. */
export function readLists(
  ctx: CallerContext,
  clauses: Clauses<ListRange<ThreadPosting>>,
  reading: Reading,
): Conjunction<ThreadPosting> {
  return new Conjunction(ctx.table, ownedRanges(ctx, clauses), reading);
}
