import { handle } from '#shared/api/handle.ts';
import { onRecord, route } from '#shared/api/route.ts';
import { commentable } from '#shared/composition/commenting.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { presentWritten, writtenComment } from '#shared/domain/collaboration/comments/comment.ts';
import { createComment as create } from '#shared/domain/collaboration/comments/create.ts';
import { commentDraft } from '#shared/domain/collaboration/comments/draft.ts';

export const createComment = route('createComment', {
  method: 'POST',
  path: onRecord(commentable, 'comments'),
  access: 'write',
  summary: 'Comment on a record',
  description:
    'Written by the user of the key and visible to every user who sees the record. Mentioned users are notified (25 at ' +
    'most), and so are the owner of the record, earlier commenters and the author of the parent comment. A mention ' +
    'of `assistant` asks the text after it: the reply, which the response names, has status `pending` until the answer is ready.',
  body: { comment: commentDraft },
  examples: { body: { comment: { html_content: '<p>Can you call them, <strong>Grace</strong>?</p>' } } },
  returns: { 201: writtenComment },
  errors: ['comment_creation_failed'],
  uses: ['table:write', 'queue:reply-as-assistant', 'queue:index-records', 'queue:push-notifications'],
});

export const handler = handle(
  createComment,
  async ({ ctx, record, body }) => presentWritten(await create(ctx, record, body.comment)),
  keeping,
);
