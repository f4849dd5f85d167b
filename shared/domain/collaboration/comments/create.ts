import { activityWrites, type Happened } from '#shared/domain/collaboration/activity/activity.ts';
import type { RecordRef, SeesRecords, VisibleRecord } from '#shared/domain/collaboration/records/kind.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { requireKept } from '#shared/domain/collaboration/records/registry.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, commit, sizeOf, together } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  ConditionFailed,
  mustExist,
  mustNotExist,
  TRANSACTION_LIMIT,
  type Write,
  when,
} from '#shared/table/table.ts';
import { asker } from './ask.ts';
import type { Comment, CommentPointer, WrittenComment } from './comment.ts';
import { commentItems } from './content.ts';
import { questionAfter } from './document.ts';
import type { CommentDraft } from './draft.ts';
import { requireParent } from './policy.ts';
import { activeUserIds, owedNotifications } from './recipients.ts';
import { commenterOf, commentersOf, requireRoom } from './weight.ts';

async function newComment(
  { table, caller, now }: CallerContext,
  record: VisibleRecord,
  draft: CommentDraft,
): Promise<Comment> {
  const { json_content, mentioned_user_ids = [] } = draft;
  const ids = [...new Set([...(json_content?.mentioned_ids ?? []), ...mentioned_user_ids])];
  const mentioned = await activeUserIds(table, caller.account.id, ids);
  return {
    id: newId(now),
    account_id: caller.account.id,
    record_type: record.type,
    record_id: record.id,
    user_id: caller.user.id,
    parent_comment_id: draft.parent_comment_id ?? null,
    html_content: draft.html_content,
    json_content: json_content?.source ?? null,
    mentioned_user_ids: mentioned,
    created_at: now.toISOString(),
    updated_at: null,
    version: 1,
  };
}

/** The comment, its pointer, and the conditions that its record and its parent exist. */
function writesOf(comment: Comment): Write[] {
  const { id, record_type, record_id, parent_comment_id: parent } = comment;
  const [stored, ...parts] = commentItems(comment);
  const pointer: CommentPointer = { ...keys.commentPointer(id), record_type, record_id };
  return [
    { put: stored, when: mustNotExist },
    ...parts.map((put) => ({ put })),
    { put: pointer, when: mustNotExist },
    { put: commenterOf(comment) },
    { check: keys.record(record_type, record_id), when: when(isLive) },
    ...(parent === null ? [] : [{ check: keys.comment(record_type, record_id, parent), when: mustExist }]),
  ];
}

/** In timelines, with the reply of the assistant. */
function activityOf(ctx: CallerContext, { type, id }: VisibleRecord, comments: Comment[]): Write[] {
  const about = { account_id: ctx.caller.account.id, record: { type, id } };
  const happened = comments.map(
    ({ id: comment_id, reply, created_at: at }): Happened => ({
      ...{ type: 'comment', detail: { comment_id }, at },
      ...(reply ? { agent: 'assistant' } : {}),
    }),
  );
  return activityWrites(ctx, about, happened);
}

/** The question to the assistant: the text after its first mention. */
function asked({ json_content }: CommentDraft): string | undefined {
  return json_content ? questionAfter(json_content, 0) : undefined;
}

/** 500 `comment_creation_failed` when the table fails. */
async function insert(ctx: CallerContext, change: Change): Promise<void> {
  try {
    await commit(ctx, change);
  } catch (error) {
    if (error instanceof ConditionFailed) throw error;
    throw new ApiError('comment_creation_failed', { cause: error });
  }
}

/**
 * Writes a comment as the caller, with its notifications and the pending reply when it asks the assistant, in one
 * transaction. It has room for about 90 notifications, mentioned users first; a job delivers the others. 404 when the
 * record is hidden or the parent is not on it; 400 above a user's limit of comments on one record; 429 for too many
 * questions.
 */
export async function createComment(
  ctx: CallerContext<SeesRecords>,
  at: RecordRef,
  draft: CommentDraft,
): Promise<WrittenComment> {
  const { table } = ctx;
  const ask = asker(ctx);
  return retryOnConflict(async () => {
    const record = await requireKept(ctx, at);
    const [parent, comment, commenters] = await Promise.all([
      requireParent(table, record, draft.parent_comment_id),
      newComment(ctx, record, draft),
      commentersOf(table, record),
    ]);
    requireRoom(commenters, comment);
    const commenter_ids = [...new Set(commenters.flatMap(({ user_id, reply }) => (reply ? [] : user_id)))];
    const asking = await ask(comment, asked(draft));
    const told = activityOf(ctx, record, [comment, ...(asking.reply ? [asking.reply] : [])]);
    const change = together({ writes: [...writesOf(comment), ...told], jobs: [] }, asking);
    const notifications = await owedNotifications(
      ctx,
      { record, comment },
      { parent_user_id: parent?.user_id, commenter_ids, room: TRANSACTION_LIMIT - sizeOf(change) },
    );
    await insert(ctx, together(change, notifications));
    const { reply } = asking;
    return { comment: { ...comment, reactions: [] }, reply: reply ? { ...reply, reactions: [] } : null };
  });
}
