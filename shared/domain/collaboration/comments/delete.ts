import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, commit } from '#shared/domain/platform/jobs/commit.ts';
import { complete, newJob } from '#shared/domain/platform/jobs/job.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustExist, type Table, TRANSACTION_LIMIT, type Write, when } from '#shared/table/table.ts';
import type { StoredComment } from './comment.ts';
import { dropParts, isReaction, pointsTo, unchanged } from './content.ts';
import { type FoundComment, requireOwnComment } from './policy.ts';

/** The items of a comment without its reactions and its pointer. */
function itsOwn(stored: StoredComment): Write[] {
  const { record_type, record_id, user_id, id } = stored;
  return [
    { delete: keys.comment(record_type, record_id, id), when: unchanged(stored) },
    ...dropParts(stored, 0),
    { delete: keys.commenter(record_type, record_id, user_id, id) },
  ];
}

/** The reactions that a deleted comment leaves to a job. */
export interface LeftReactions {
  record_type: StoredComment['record_type'];
  record_id: string;
  comment_id: string;
}

/**
 * Removes everything in one transaction or, when there are too many reactions or some are still moving from another
 * record, leaves the reactions to a job: nobody sees them without their comment.
 */
function removal(found: FoundComment, now: Date): Change {
  const { pointer, stored, items } = found;
  const { record_type, record_id, id } = stored;
  const reactions = items.filter(isReaction);
  const own = itsOwn(stored);
  const key = keys.commentPointer(id);
  const fits = own.length + 1 + reactions.length <= TRANSACTION_LIMIT;
  if (fits && reactions.length === (pointer.reaction_count ?? 0)) {
    const gone = reactions.map((reaction) => ({ delete: keyOf(reaction), when: mustExist }));
    const last = { delete: key, when: when(pointsTo(record_id, reactions)) };
    return { writes: [...own, last, ...gone], jobs: [] };
  }
  const left: LeftReactions = { record_type, record_id, comment_id: id };
  const job = newJob('remove-reactions', { ...left }, now);
  return { writes: [...own, { delete: key, when: mustExist }], jobs: [job] };
}

/**
 * Deletes a comment of the caller, or the assistant's reply to the caller, with its mentions and reactions. Replies to
 * it stay. 404 for any other.
 */
export async function deleteComment(ctx: CallerContext<SeesRecords>, id: string): Promise<void> {
  await retryOnConflict(async () => commit(ctx, removal(await requireOwnComment(ctx, id), ctx.now)));
}

/** Removes the reactions of a deleted comment. Idempotent. */
export async function removeReactions(table: Table, job_id: string, left: LeftReactions): Promise<void> {
  const { PK, SK } = keys.reaction(left.record_type, left.record_id, left.comment_id, '');
  for await (const page of table.pages(PK, SK))
    for (let at = 0; at < page.length; at += TRANSACTION_LIMIT)
      await table.transact(page.slice(at, at + TRANSACTION_LIMIT).map((item) => ({ delete: keyOf(item) })));
  await table.transact([complete(job_id)]);
}
