import type { Context } from '#shared/context.ts';
import { type DueWork, doneWrite, dueWrite, refOf } from '#shared/domain/collaboration/due/due.ts';
import { inTransactions } from '#shared/domain/collaboration/life/dependent.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { keyOf } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Write } from '#shared/table/table.ts';
import { asBefore, readEntries } from './change.ts';
import { ENDED_KEPT, endedMoment, isEndedListed } from './ended.ts';
import { postingsOf } from './entry.ts';

/** Ended records leave the list of them after its time. */

/** Lets a record that ended at this moment wait for that; its lists follow within a day. */
export const forgetWrite = (record: RecordRef, ended: number, now: Date): Write =>
  dueWrite('forget', record, ended + ENDED_KEPT + 86_400_000, now);

/** Leaves a record alone that was restored, or that ended again since. */
async function forget({ table, now }: Context, due: DueWork): Promise<void> {
  const entries = await readEntries(table, refOf(due));
  const old = entries.filter(
    ({ listed, next }) => !next && isEndedListed(listed) && endedMoment(listed) + ENDED_KEPT <= now.getTime(),
  );
  const writes = old.flatMap((entry): Write[] => [
    { delete: keyOf(entry), when: asBefore(entry) },
    ...postingsOf(entry, entry.listed).map((posting) => ({ delete: keyOf(posting) })),
  ]);
  for (const some of inTransactions(writes)) await table.transact(some);
  await table.transact([doneWrite(due)]);
}

/** One that ended several times is forgotten by several at once. */
export const forgetEnded = (ctx: Context, due: DueWork): Promise<void> =>
  retryOnConflict(() => forget(ctx, due));
