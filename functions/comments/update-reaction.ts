import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { commented } from '#shared/composition/commented.ts';
import {
  presentReaction,
  reactionDraft,
  reactionSchema,
} from '#shared/domain/collaboration/comments/reaction.ts';
import { updateReaction as update } from '#shared/domain/collaboration/comments/reactions/update.ts';

export const updateReaction = route('updateReaction', {
  method: 'PATCH',
  path: '/comments/{comment_id}/reactions/{id}',
  access: 'write',
  summary: 'Change a reaction',
  description: 'Only a reaction of the user of the key.',
  body: { reaction: reactionDraft },
  returns: { 200: { reaction: reactionSchema } },
  uses: ['table:write'],
});

export const handler = handle(
  updateReaction,
  async ({ ctx, params, body }) => ({
    reaction: presentReaction(await update(ctx, params.comment_id, params.id, body.reaction)),
  }),
  commented,
);
