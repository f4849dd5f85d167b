import { keys } from '#shared/table/keys.ts';
import { below, either, missing, update, type Write } from '#shared/table/table.ts';
import type { CommentPointer } from '../comment.ts';

/** Of one user to one comment: all of them are in every answer that gives the comment. */
export const MAX_REACTIONS = 20;

/** The comment is there still, where it was read, and has one reaction of the user more or less from now on. */
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
