import { postingChanges } from '#shared/domain/platform/postings/posting.ts';
import { keyOf } from '#shared/table/keys.ts';
import { mustNotExist, type Table, TRANSACTION_LIMIT, type Write, when } from '#shared/table/table.ts';
import type { ThreadEntry } from '../thread.ts';
import { statePostings, termPostings } from './postings.ts';

/** Writes an entry together with its postings in the user's lists. */

const asBefore = (before: ThreadEntry) => when<ThreadEntry>({ revision: before.revision });

/** The writes of one transaction: they fail when the entry changed since it was read. */
export function entryWrites(before: ThreadEntry | undefined, after: ThreadEntry | undefined): Write[] {
  const { puts, deletes } = postingChanges(
    before ? statePostings(before) : [],
    after ? statePostings(after) : [],
  );
  const lists: Write[] = [...puts, ...deletes];
  if (after) return [{ put: after, when: before ? asBefore(before) : mustNotExist }, ...lists];
  return before ? [{ delete: keyOf(before), when: asBefore(before) }, ...lists] : [];
}

/**
 * Writes the transaction and the term lists in parallel. An interrupted job runs again, and the entry decides what is
 * shown. Stale postings of term lists are deleted when the thread gets a newer rank or is removed; those of the same
 * rank in the transaction. Throws ConditionFailed when the entry changed meanwhile.
 */
export async function writeEntry(
  table: Table,
  before: ThreadEntry | undefined,
  after: ThreadEntry | undefined,
  tag_ids: Iterable<string>,
): Promise<void> {
  const tags = [...tag_ids];
  const { deletes: clearing } = postingChanges(
    before ? termPostings(before, tags) : [],
    after ? termPostings(after, tags) : [],
  );
  const moves = before !== undefined && after !== undefined && after.rank > before.rank;
  const writes = entryWrites(before, after);
  const together = moves || !after ? writes : [...writes, ...clearing];
  const apart = [
    ...(after ? termPostings(after, tags).map((posting) => ({ put: posting })) : []),
    ...(moves || !after ? clearing : []),
  ];
  // For a thread in very many mailboxes, what does not fit is written outside the transaction.
  const beside = together.slice(TRANSACTION_LIMIT) as typeof apart;
  await Promise.all([
    table.transact(together.slice(0, TRANSACTION_LIMIT)),
    table.writeMany([...apart, ...beside]),
  ]);
}

/** Writes the term lists of an entry without other changes, for a job that runs again. */
export function writeTerms(table: Table, entry: ThreadEntry, tag_ids: Iterable<string>): Promise<void> {
  return table.writeMany(termPostings(entry, tag_ids).map((posting) => ({ put: posting })));
}

/** Deletes the term lists of a removed entry. */
export function clearTerms(table: Table, entry: ThreadEntry): Promise<void> {
  return table.writeMany(termPostings(entry, []).map((posting) => ({ delete: keyOf(posting) })));
}
