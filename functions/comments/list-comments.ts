import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { onRecord, route } from '#shared/api/route.ts';
import { commentable } from '#shared/composition/commenting.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { commentSchema } from '#shared/domain/collaboration/comments/comment.ts';
import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';

export const listComments = route('listComments', {
  method: 'GET',
  path: onRecord(commentable, 'comments'),
  access: 'read',
  summary: 'List the comments of a record',
  description:
    'All of them, oldest first, including replies: `parent_comment_id` is the comment that each replies to. Only the newest beyond 10,000 or 40 MB.',
  returns: { 200: { comments: z.array(commentSchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listComments,
  async ({ ctx, record }) => {
    const { type, id } = await requireVisible(ctx, record);
    return { comments: await listRecordComments(ctx, { type, id }) };
  },
  { ...visibility, ...replies },
);
