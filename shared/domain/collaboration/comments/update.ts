import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit, sizeOf, together } from '#shared/domain/platform/jobs/commit.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type Table, TRANSACTION_LIMIT, type Write } from '#shared/table/table.ts';
import { asker } from './ask.ts';
import type { Comment, StoredComment, WholeComment } from './comment.ts';
import { commentItems, dropParts, readComments, unchanged } from './content.ts';
import { questionAfter, readContent, readDocument } from './document.ts';
import type { CommentEdit } from './draft.ts';
import { requireEditable } from './policy.ts';
import { activeUserIds, owedToMentioned } from './recipients.ts';
import { commenterOf, commentersOf, requireRoom } from './weight.ts';

/** The edited comment. `mentioned` are the mentioned users of the document, if one was sent. */
function edited(comment: Comment, edit: CommentEdit, mentioned: string[], now: Date): Comment {
  const { html_content, json_content: sent } = edit;
  const document =
    sent === undefined ? {} : { json_content: sent?.source ?? null, mentioned_user_ids: mentioned };
  return {
    ...comment,
    html_content,
    ...document,
    updated_at: now.toISOString(),
    version: comment.version + 1,
  };
}

/** The comment, without a deleted parent. */
async function withParent<C extends Comment>(table: Table, comment: C): Promise<C> {
  const parent = comment.parent_comment_id;
  if (parent === null || (await table.get(keys.commentPointer(parent)))) return comment;
  return { ...comment, parent_comment_id: null };
}

function writesOf(before: StoredComment, after: Comment): Write[] {
  const [stored, ...parts] = commentItems(after);
  return [
    { put: stored, when: unchanged(before) },
    { put: commenterOf(after) },
    ...parts.map((put) => ({ put })),
    ...dropParts(before, parts.length),
  ];
}

/** The question of an edit: the text after an additional mention of the assistant. */
function addedQuestion(before: Comment, { json_content: sent }: CommentEdit): string | undefined {
  if (!sent) return undefined;
  const document = readDocument(before.json_content ?? '');
  return questionAfter(sent, document ? readContent(document).questions.length : 0);
}

/**
 * Replaces the content of a comment of the caller, with notifications for users whom it mentions for the first time,
 * and the pending reply when an additional mention asks the assistant, in one transaction. 404 when it is another
 * user's or its record is hidden; 400 above a user's limit of comments on one record; 429 for too many questions.
 */
export async function updateComment(
  ctx: CallerContext<SeesRecords>,
  id: string,
  edit: CommentEdit,
): Promise<WholeComment> {
  const { table } = ctx;
  const ask = asker(ctx);
  return retryOnConflict(async () => {
    const [mentioned, { record, stored, items }] = await Promise.all([
      activeUserIds(table, ctx.caller.account.id, edit.json_content?.mentioned_ids ?? []),
      requireEditable(ctx, id),
    ]);
    const [{ reactions, ...before }] = readComments(items) as [WholeComment];
    const comment = edited(before, edit, mentioned, ctx.now);
    const known = new Set(before.mentioned_user_ids);
    const added = mentioned.filter((user) => !known.has(user));
    const asking = await ask(comment, addedQuestion(before, edit));
    const change = together({ writes: writesOf(stored, comment), jobs: [] }, asking);
    const room = TRANSACTION_LIMIT - sizeOf(change);
    const [shown, notifications, marks] = await Promise.all([
      withParent(table, { ...comment, reactions }),
      owedToMentioned(ctx, { record, comment }, { user_ids: added, room }),
      commentersOf(table, record, comment.user_id),
    ]);
    requireRoom(marks, comment);
    await commit(ctx, together(change, notifications));
    return shown;
  });
}
