import { handle } from '#shared/api/handle.ts';
import { onRecord, route } from '#shared/api/route.ts';
import { lists } from '#shared/composition/lists.ts';
import { shareable } from '#shared/composition/sharing.ts';
import { sharingKept } from '#shared/composition/sharing-kept.ts';
import { createShare as create } from '#shared/domain/collaboration/shares/create.ts';
import { shareDraft, shareSchema } from '#shared/domain/collaboration/shares/share.ts';

export const createShare = route('createShare', {
  method: 'POST',
  path: onRecord(shareable, 'shares'),
  access: 'write',
  summary: 'Share a record',
  description:
    'With one user or one group, who are notified. Threads are shared by users who own or may edit one of their mailboxes, mailboxes by their owners. An existing share is returned unchanged.',
  body: { share: shareDraft },
  examples: {
    body: { share: { user_id: '0198c0de-0000-7000-8000-000000000001', access: 'view' } },
  },
  returns: { 200: { share: shareSchema } },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-threads', 'queue:index-records', 'queue:push-notifications'],
});

export const handler = handle(
  createShare,
  async ({ ctx, record, body }) => ({
    share: await create(ctx, record, body.share),
  }),
  { ...sharingKept, ...lists },
);
