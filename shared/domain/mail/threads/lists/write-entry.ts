import { postingChanges } from '#shared/domain/platform/postings/posting.ts';
import { keyOf } from '#shared/table/keys.ts';
import { mustNotExist, type Table, TRANSACTION_LIMIT, type Write, when } from '#shared/table/table.ts';
import type { MailboxView, ThreadEntry } from '../thread.ts';
import { statePostings, type ThreadPosting, termPostings, wordPostings } from './postings.ts';

/** Writes an entry, or a mailbox's view, together with its postings in the lists of the user or the mailbox. */

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

interface Change {
  /** Of the transaction. */
  writes: Write[];
  /** Places in term lists. */
  before: ThreadPosting[];
  after: ThreadPosting[];
  /** Whether all places before are of an older rank, or none come after them. */
  moves: boolean;
}

/**
 * Writes the transaction and the term lists in parallel. An interrupted job runs again, and the entry decides what is
 * shown. Stale postings of term lists are deleted when the thread gets a newer rank or is removed; those of the same
 * rank in the transaction. Throws ConditionFailed when the entry, or the view, changed meanwhile.
 */
async function writeChange(table: Table, { writes, before, after, moves }: Change): Promise<void> {
  const { deletes: clearing } = postingChanges(before, after);
  const together = moves ? writes : [...writes, ...clearing];
  const apart = [...after.map((posting) => ({ put: posting })), ...(moves ? clearing : [])];
  // For a thread in very many mailboxes, what does not fit is written outside the transaction.
  const beside = together.slice(TRANSACTION_LIMIT) as typeof apart;
  await Promise.all([
    writeTogether(table, together.slice(0, TRANSACTION_LIMIT)),
    table.writeMany([...apart, ...beside]),
  ]);
}

/** A single write needs no transaction, which costs twice as much. */
function writeTogether(table: Table, writes: Write[]): Promise<void> {
  const [only, ...more] = writes;
  if (only && more.length === 0 && 'put' in only) return table.put(only.put, only.when);
  return table.transact(writes);
}

const movesFrom = (before: { rank: string } | undefined, after: { rank: string } | undefined) =>
  !after || (before !== undefined && after.rank > before.rank);

export function writeEntry(
  table: Table,
  before: ThreadEntry | undefined,
  after: ThreadEntry | undefined,
  tag_ids: Iterable<string>,
): Promise<void> {
  const tags = [...tag_ids];
  return writeChange(table, {
    writes: entryWrites(before, after),
    before: before ? termPostings(before, tags) : [],
    after: after ? termPostings(after, tags) : [],
    moves: movesFrom(before, after),
  });
}

const placesOf = (view: MailboxView) => wordPostings(view.mailbox_id, view);

/** The same for the lists of a mailbox. */
export function writeView(
  table: Table,
  before: MailboxView | undefined,
  after: MailboxView | undefined,
): Promise<void> {
  const unchanged = before ? when<MailboxView>({ revision: before.revision }) : mustNotExist;
  const write: Write[] = after
    ? [{ put: after, when: unchanged }]
    : before
      ? [{ delete: keyOf(before), when: unchanged }]
      : [];
  return writeChange(table, {
    writes: write,
    before: before ? placesOf(before) : [],
    after: after ? placesOf(after) : [],
    moves: movesFrom(before, after),
  });
}

/** Writes the places of a view without other changes, for a job that runs again. */
export function writePlaces(table: Table, view: MailboxView): Promise<void> {
  return table.writeMany(placesOf(view).map((posting) => ({ put: posting })));
}

/** Writes the term lists of an entry without other changes, for a job that runs again. */
export function writeTerms(table: Table, entry: ThreadEntry, tag_ids: Iterable<string>): Promise<void> {
  return table.writeMany(termPostings(entry, tag_ids).map((posting) => ({ put: posting })));
}

/** Deletes the term lists of a removed entry. */
export function clearTerms(table: Table, entry: ThreadEntry): Promise<void> {
  return table.writeMany(termPostings(entry, []).map((posting) => ({ delete: keyOf(posting) })));
}
