import { pendingReply } from '#shared/domain/collaboration/replies/block.ts';
import { countQuestion } from '#shared/domain/collaboration/replies/limit.ts';
import { questionJob } from '#shared/domain/collaboration/replies/question.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { mayAsk } from '#shared/domain/identity/users/policy.ts';
import { type Change, noChange } from '#shared/domain/platform/jobs/commit.ts';
import { newId } from '#shared/ids.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import { mustNotExist, type Write } from '#shared/table/table.ts';
import type { Comment, CommentPointer } from './comment.ts';
import { commentItems } from './content.ts';
import { commenterOf } from './weight.ts';

/** Asks the assistant in a comment (docs/specification/comments.md, rule 2). */

/** The record types on which the assistant answers. */
const ANSWERED: ReadonlySet<RecordType> = new Set(['contacts', 'organizations', 'threads', 'deals']);

/** Characters of a question; a longer one is cut. */
const MAX_QUESTION = 20_000;

/** Sorts after its question in every list, which a reply of the same millisecond might not. */
function replyTo(comment: Comment, now: Date): Comment {
  const later = new Date(now.getTime() + 1);
  return {
    id: newId(later),
    account_id: comment.account_id,
    record_type: comment.record_type,
    record_id: comment.record_id,
    user_id: comment.user_id,
    parent_comment_id: comment.id,
    html_content: null,
    json_content: null,
    mentioned_user_ids: [],
    reply: pendingReply,
    created_at: later.toISOString(),
    updated_at: null,
    version: 1,
  };
}

/** The pending reply, and what writes it and its job; without a reply nothing is asked. */
export type Asking = Change & { reply?: Comment };

function asking(comment: Comment, text: string, now: Date): Asking {
  const { account_id, user_id, record_type, record_id } = comment;
  const reply = replyTo(comment, now);
  const job = questionJob(
    {
      reply_id: reply.id,
      account_id,
      user_id,
      text: text.slice(0, MAX_QUESTION).toWellFormed(),
      record: { type: record_type, id: record_id },
      place: { kind: 'comment' },
      source: { type: 'comment', id: reply.id },
    },
    now,
  );
  const pointer: CommentPointer = { ...keys.commentPointer(reply.id), record_type, record_id };
  const stored = commentItems(reply).map((put): Write => ({ put, when: mustNotExist }));
  const writes = [...stored, { put: pointer, when: mustNotExist }, { put: commenterOf(reply) }];
  return { writes, jobs: [job], reply };
}

/**
 * Returns the change for a comment that asks `text`; empty where the assistant does not answer. Counts the question
 * once, however often the transaction is tried. 429 `rate_limited` above the limit.
 */
export function asker({ table, config, caller, now }: CallerContext) {
  let counted: Promise<void> | undefined;
  return async (comment: Comment, text: string | undefined): Promise<Asking> => {
    if (text === undefined || !ANSWERED.has(comment.record_type) || !mayAsk(caller, config)) return noChange;
    counted ??= countQuestion(table, caller.user.id, config.assistant.questions_per_minute, now);
    await counted;
    return asking(comment, text, now);
  };
}
