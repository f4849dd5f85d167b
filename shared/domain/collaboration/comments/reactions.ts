import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField } from '#shared/errors.ts';
import { newId, type Uuid } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { below, either, missing, mustExist, mustNotExist, update, type Write } from '#shared/table/table.ts';
import type { CommentPointer } from './comment.ts';
import { reactionKey, requireOwnReaction, requireSeenComment } from './policy.ts';
import type { Reaction } from './reaction.ts';

/** Reactions of the caller to comments on records the caller sees: 404 for any other. */

/** The comment is there still, where it was read, and has one reaction of the user more or less from now on. */
function counted(comment_id: string, pointer: CommentPointer, user_id: string, difference: 1 | -1): Write {
  const room = difference === 1 ? { [user_id]: either(missing, below(MAX_REACTIONS)) } : {};
  return update<CommentPointer>(keys.commentPointer(comment_id), {
    add: { reaction_count: difference, [user_id]: difference },
    when: { record_id: pointer.record_id, ...room },
  });
}

/** Of one user to one comment: all of them are in every answer that gives the comment. */
const MAX_REACTIONS = 20;

/** The pointer counts the reactions of each user under the user's id. */
function requireRoom(pointer: CommentPointer, user_id: string): void {
  if ((pointer[user_id as Uuid] ?? 0) < MAX_REACTIONS) return;
  throw invalidField(
    'text',
    'invalid',
    `cannot be added: you have ${MAX_REACTIONS} reactions on this comment`,
  );
}

/** Always a new one, whatever reactions there are; 400 when the user has as many on the comment as one may have. */
export function addReaction(
  ctx: CallerContext<SeesRecords>,
  comment_id: string,
  { text }: { text: string },
): Promise<Reaction> {
  const { table } = ctx;
  return retryOnConflict(async () => {
    const pointer = await requireSeenComment(ctx, comment_id);
    requireRoom(pointer, ctx.caller.user.id);
    const id = newId(ctx.now);
    const reaction: Reaction = {
      ...reactionKey(pointer, comment_id, id),
      id,
      comment_id,
      user_id: ctx.caller.user.id,
      text,
      created_at: ctx.now.toISOString(),
    };
    await table.transact([
      { put: reaction, when: mustNotExist },
      counted(comment_id, pointer, ctx.caller.user.id, 1),
    ]);
    return reaction;
  });
}

export function updateReaction(
  ctx: CallerContext<SeesRecords>,
  comment_id: string,
  id: string,
  { text }: { text: string },
): Promise<Reaction> {
  const { table } = ctx;
  return retryOnConflict(async () => {
    const { reaction } = await requireOwnReaction(ctx, comment_id, id);
    return table.update<Reaction>({ PK: reaction.PK, SK: reaction.SK }, { set: { text }, when: mustExist });
  });
}

export function removeReaction(
  ctx: CallerContext<SeesRecords>,
  comment_id: string,
  id: string,
): Promise<void> {
  const { table } = ctx;
  return retryOnConflict(async () => {
    const { pointer, reaction } = await requireOwnReaction(ctx, comment_id, id);
    await table.transact([
      { delete: { PK: reaction.PK, SK: reaction.SK }, when: mustExist },
      counted(comment_id, pointer, ctx.caller.user.id, -1),
    ]);
  });
}
