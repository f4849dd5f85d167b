import { keys } from '#shared/table/keys.ts';
import { below, either, missing, update, type Write } from '#shared/table/table.ts';
import type { CommentPointer } from '../comment.ts';

/** Of one user to one comment: every response with the comment contains all of them. */
export const MAX_REACTIONS = 20;

/** The comment is still on that record, and the user's counter changes by one. */
export function counted(
  comment_id: string,
  pointer: CommentPointer,
  user_id: string,
  difference: 1 | -1,
): Write {
  const room = difference === 1 ? { [user_id]: either<number>(missing, below(MAX_REACTIONS)) } : {};
  return update<CommentPointer>(keys.commentPointer(comment_id), {
    add: { reaction_count: difference, [user_id]: difference },
    when: { record_id: pointer.record_id, ...room },
  });
}
