import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { commented } from '#shared/composition/commented.ts';
import {
  presentReaction,
  reactionDraft,
  reactionSchema,
} from '#shared/domain/collaboration/comments/reaction.ts';
import { addReaction as add } from '#shared/domain/collaboration/comments/reactions/add.ts';

export const addReaction = route('addReaction', {
  method: 'POST',
  path: '/comments/{comment_id}/reactions',
  access: 'write',
  summary: 'React to a comment',
  description: 'Always adds a reaction, even when the user has reacted with the same text before.',
  body: { reaction: reactionDraft },
  returns: { 201: { reaction: reactionSchema } },
  uses: ['table:write'],
});

export const handler = handle(
  addReaction,
  async ({ ctx, params, body }) => ({
    reaction: presentReaction(await add(ctx, params.comment_id, body.reaction)),
  }),
  commented,
);
