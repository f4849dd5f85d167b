import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField } from '#shared/errors.ts';
import { newId, type Uuid } from '#shared/ids.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustNotExist } from '#shared/table/table.ts';
import type { CommentPointer } from '../comment.ts';
import { reactionKey, requireSeenComment } from '../policy.ts';
import type { Reaction } from '../reaction.ts';
import { counted, MAX_REACTIONS } from './count.ts';

/** The pointer counts the reactions of each user by user id. */
function requireRoom(pointer: CommentPointer, user_id: string): void {
  if ((pointer[user_id as Uuid] ?? 0) < MAX_REACTIONS) return;
  throw invalidField(
    'text',
    'invalid',
    `cannot be added: you have ${MAX_REACTIONS} reactions on this comment`,
  );
}

/** Always adds a new one; 400 when the user has the maximum number on the comment. */
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
