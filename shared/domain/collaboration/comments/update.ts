import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit, sizeOf, together } from '#shared/domain/platform/jobs/commit.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { TRANSACTION_LIMIT, type Write } from '#shared/table/table.ts';
import { asker } from './ask.ts';
import type { Comment, StoredComment, WholeComment, WrittenComment } from './comment.ts';
import { commentItems, dropParts, readComments, unchanged } from './content.ts';
import { questionAfter, readContent, readDocument } from './document.ts';
import type { CommentEdit } from './draft.ts';
import { requireEditable, withParent } from './policy.ts';
import { activeUserIds, owedToMentioned } from './recipients.ts';
import { commenterOf, commentersOf, requireRoom } from './weight.ts';

/** The mentioned users of the stored document, who were active then. */
function keptMentions({ json_content, mentioned_user_ids }: Comment): string[] {
  const document = readDocument(json_content ?? '');
  const ids = new Set(document ? readContent(document).mentioned_ids : []);
  return mentioned_user_ids.filter((id) => ids.has(id));
}

/** The users whom the comment mentions after the edit. `active` are those that were sent. */
function mentionsAfter(comment: Comment, edit: CommentEdit, active: string[]): string[] {
  if (edit.json_content !== undefined) return active;
  if (edit.mentioned_user_ids === undefined) return comment.mentioned_user_ids;
  return [...new Set([...keptMentions(comment), ...active])];
}

function edited(comment: Comment, edit: CommentEdit, active: string[], now: Date): Comment {
  const { html_content, json_content: sent } = edit;
  return {
    ...comment,
    html_content,
    ...(sent === undefined ? {} : { json_content: sent?.source ?? null }),
    mentioned_user_ids: mentionsAfter(comment, edit, active),
    updated_at: now.toISOString(),
    version: comment.version + 1,
  };
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
): Promise<WrittenComment> {
  const { table } = ctx;
  const ask = asker(ctx);
  const sent = [
    ...new Set([...(edit.json_content?.mentioned_ids ?? []), ...(edit.mentioned_user_ids ?? [])]),
  ];
  return retryOnConflict(async () => {
    const [active, { record, stored, items }] = await Promise.all([
      activeUserIds(table, ctx.caller.account.id, sent),
      requireEditable(ctx, id),
    ]);
    const [{ reactions, ...before }] = readComments(items) as [WholeComment];
    const comment = edited(before, edit, active, ctx.now);
    const known = new Set(before.mentioned_user_ids);
    const added = comment.mentioned_user_ids.filter((user) => !known.has(user));
    const asking = await ask(comment, addedQuestion(before, edit));
    const change = together({ writes: writesOf(stored, comment), jobs: [] }, asking);
    const room = TRANSACTION_LIMIT - sizeOf(change);
    const showing = withParent(table, comment);
    const [shown, notifications, marks] = await Promise.all([
      showing,
      owedToMentioned(ctx, { record, showing }, { user_ids: added, room }),
      commentersOf(table, record, comment.user_id),
    ]);
    requireRoom(marks, comment);
    await commit(ctx, together(change, notifications));
    const { reply } = asking;
    return { comment: { ...shown, reactions }, reply: reply ? { ...reply, reactions: [] } : null };
  });
}
