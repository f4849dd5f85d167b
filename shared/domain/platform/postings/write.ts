import { type Table, TRANSACTION_LIMIT, type Write } from '#shared/table/table.ts';
import { type Posting, postingChanges } from './posting.ts';

/** Postings that change in the transaction of the record that they are of. */
interface Change {
  before: Posting[];
  after: Posting[];
  /** Writes that the transaction has room for. */
  room: number;
  /** Fails when the record is no longer as it was read. */
  unchanged: Write;
}

/** With the words of both, it is right before and after the change. */
function covering(posting: Posting, before: Posting[]): Posting {
  const old = before.find(({ PK, SK }) => PK === posting.PK && SK === posting.SK);
  if (old?.words === undefined) return posting;
  return { ...posting, words: `${old.words}${posting.words ?? ''}` };
}

/**
 * The writes of the transaction. Of a record with very many words, what has no room is put ahead of it, while the record
 * is as it was read, or is not deleted. So lists may have places too many, and never one too few, whatever happens
 * meanwhile: the record decides. Throws ConditionFailed.
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
