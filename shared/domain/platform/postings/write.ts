import { type Table, TRANSACTION_LIMIT, type Write } from '#shared/table/table.ts';
import { type Posting, postingChanges } from './posting.ts';

/** Postings that change in the transaction of their record. */
interface Change {
  before: Posting[];
  after: Posting[];
  /** Writes that fit into the transaction. */
  room: number;
  /** Fails when the record changed since it was read. */
  unchanged: Write;
}

/** With the words of both, valid before and after the change. */
function covering(posting: Posting, before: Posting[]): Posting {
  const old = before.find(({ PK, SK }) => PK === posting.PK && SK === posting.SK);
  if (old?.words === undefined) return posting;
  return { ...posting, words: `${old.words}${posting.words ?? ''}` };
}

/**
 * The posting writes for the record's transaction. For a record with very many words, writes that do not fit run before
 * it, while the record is unchanged or at least not deleted. So lists may contain extra postings but never lack one,
 * whatever happens meanwhile: readers check the record. Throws ConditionFailed.
 */
export async function postingWrites(
  table: Table,
  { before, after, room, unchanged }: Change,
): Promise<Write[]> {
  const { puts, deletes } = postingChanges(before, after);
  const left = deletes.slice(0, room);
  const together = puts.slice(0, room - left.length);
  const ahead = puts.slice(together.length).map(({ put }) => ({ put: covering(put as Posting, before) }));
  for (let i = 0; i < ahead.length; i += TRANSACTION_LIMIT - 1)
    await table.transact([unchanged, ...ahead.slice(i, i + TRANSACTION_LIMIT - 1)]);
  return [...together, ...left];
}
