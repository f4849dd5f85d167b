import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { commented } from '#shared/composition/commented.ts';
import { removeReaction as remove } from '#shared/domain/collaboration/comments/reactions/remove.ts';

export const removeReaction = route('removeReaction', {
  method: 'DELETE',
  path: '/comments/{comment_id}/reactions/{id}',
  access: 'write',
  summary: 'Remove a reaction',
  description: 'Only a reaction of the user of the key.',
  returns: { 204: null },
  uses: ['table:write'],
});

export const handler = handle(
  removeReaction,
  ({ ctx, params }) => remove(ctx, params.comment_id, params.id),
  commented,
);
