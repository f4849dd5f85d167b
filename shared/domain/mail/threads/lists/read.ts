import type { CallerContext } from '#shared/domain/identity/caller.ts';
import {
  type Clauses,
  Conjunction,
  ownedBy,
  type Reading,
} from '#shared/domain/platform/postings/conjunction.ts';
import type { ListRange } from '#shared/domain/platform/postings/reader.ts';
import type { ThreadPosting } from './postings.ts';

/** The postings of the caller's lists, newest first. */
export function readLists(
  { table, caller }: CallerContext,
  clauses: Clauses<ListRange<ThreadPosting>>,
  reading: Reading,
): Conjunction<ThreadPosting> {
  return new Conjunction(table, ownedBy(caller.user.id, clauses), reading);
}
