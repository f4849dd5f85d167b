import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { commented } from '#shared/composition/commented.ts';
import { deleteComment as remove } from '#shared/domain/collaboration/comments/delete.ts';

export const deleteComment = route('deleteComment', {
  method: 'DELETE',
  path: '/comments/{id}',
  access: 'write',
  summary: 'Delete a comment',
  description:
    'Removes a comment that the user of the key wrote, or a reply of the assistant to that user, with its ' +
    'reactions and mentions. Replies to it stay and become top-level.',
  returns: { 204: null },
  uses: ['table:write', 'queue:remove-reactions'],
});

export const handler = handle(deleteComment, ({ ctx, params }) => remove(ctx, params.id), commented);
