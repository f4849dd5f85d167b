import type { Context } from '#shared/context.ts';
import { messageKey } from '#shared/domain/assistant/conversations/store.ts';
import type { CommentPointer, StoredComment } from '#shared/domain/collaboration/comments/comment.ts';
import { owedToAsker } from '#shared/domain/collaboration/comments/recipients.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { AssistantReply } from '#shared/domain/collaboration/replies/block.ts';
import type { Question, QuestionJob } from '#shared/domain/collaboration/replies/question.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import { commit, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import { complete } from '#shared/domain/platform/jobs/job.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { at, type Item, present, type Table, update, type Write } from '#shared/table/table.ts';

/** Writes a reply once: from pending to complete or failed. */

/** A comment or a message that is a reply. */
type ReplyItem = Item & { reply?: AssistantReply; version?: number };

/** The key of the reply; undefined when it was deleted. */
async function keyOfReply(table: Table, { reply_id, place }: Question): Promise<Key | undefined> {
  if (place.kind === 'message') return messageKey(place.conversation_id, reply_id);
  const pointer = await table.get<CommentPointer>(keys.commentPointer(reply_id));
  return pointer && keys.comment(pointer.record_type, pointer.record_id, reply_id);
}

function isAwaited(item: ReplyItem | undefined): boolean {
  return item?.reply?.status === 'pending';
}

function replyWrite(key: Key, reply: AssistantReply, { place }: Question): Write {
  return update<ReplyItem>(key, {
    set: { reply },
    // Edits and deletions of a comment depend on its version.
    add: { version: place.kind === 'comment' ? 1 : undefined },
    // It is neither deleted nor answered.
    when: { PK: present, reply: at('status', 'pending' as const) },
  });
}

/**
 * Writes the reply with its proposals, notifies the user who asked, and completes the question, in one transaction.
 * When the reply was deleted or written meanwhile, only completes the question: the proposals are dropped.
 */
export async function finishReply(
  ctx: Context<SeesRecords>,
  { id, question }: QuestionJob,
  reply: AssistantReply,
  proposed: Write[],
): Promise<void> {
  const { table } = ctx;
  await retryOnConflict(async () => {
    const key = await keyOfReply(table, question);
    const stored = key && (await table.get<ReplyItem>(key));
    if (!key || !isAwaited(stored)) return table.transact([complete(id)]);
    const told =
      question.place.kind === 'comment'
        ? await owedToAsker(ctx, await callerFor(table, question), { ...(stored as StoredComment), reply })
        : noChange;
    await commit(ctx, together([replyWrite(key, reply, question), ...proposed, complete(id)], told));
  });
}
