import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { attach, attachmentDraft } from '#shared/domain/mail/drafts/attach.ts';
import { draftSchema } from '#shared/domain/mail/drafts/draft.ts';
import { showDraft } from '#shared/domain/mail/drafts/store.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';

export const attachToDraft = route('attachToDraft', {
  method: 'POST',
  path: '/drafts/{draft_id}/attachments',
  access: 'write',
  summary: 'Attach a file to a draft',
  description:
    'An upload becomes a private file of the key’s user. A picture whose `content_id` the HTML names, as in ' +
    '`<img src="cid:...">`, is shown in the text. The attachments of a mail may have 25 MB in all.',
  body: { attachment: attachmentDraft },
  examples: { body: { attachment: { upload_id: '0198c0de-0000-7000-8000-000000000020' } } },
  returns: { 200: { draft: draftSchema } },
  errors: [
    'draft_not_editable',
    'upload_already_used',
    'file_too_large',
    'upload_incomplete',
    'storage_unavailable',
  ],
  uses: [
    'table:write',
    'queue:index-records',
    'bucket:read-uploads',
    'bucket:read-files',
    'bucket:write-files',
  ],
});

export const handler = handle(
  attachToDraft,
  async ({ ctx, params, body }) => ({
    draft: await showDraft(ctx, await attach(ctx, bucketOf(ctx), params.draft_id, body.attachment)),
  }),
  { ...recordLists, ...visibility },
);
