import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { commented } from '#shared/composition/commented.ts';
import { presentWritten, writtenComment } from '#shared/domain/collaboration/comments/comment.ts';
import { commentEdit } from '#shared/domain/collaboration/comments/draft.ts';
import { updateComment as update } from '#shared/domain/collaboration/comments/update.ts';

export const updateComment = route('updateComment', {
  method: 'PATCH',
  path: '/comments/{id}',
  access: 'write',
  summary: 'Edit a comment',
  description:
    'Replaces the content of a comment that the user of the key wrote. When `json_content` is sent, mentions are read ' +
    'again: newly mentioned users are notified (25 at most), and the others are removed. Without it the ' +
    'comment keeps its `json_content` and its mentions. An additional mention of `assistant` asks again. Replies of the assistant cannot be edited.',
  body: { comment: commentEdit },
  examples: { body: { comment: { html_content: '<p>They called, <strong>Grace</strong>.</p>' } } },
  returns: { 200: writtenComment },
  uses: ['table:write', 'queue:reply-as-assistant', 'queue:push-notifications'],
  streams: true,
});

export const handler = handle(
  updateComment,
  async ({ ctx, params, body }) => presentWritten(await update(ctx, params.id, body.comment)),
  commented,
);
