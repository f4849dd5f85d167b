import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import type { Bucket } from '#shared/providers/files/bucket.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { answeredOf } from './answer.ts';
import { checked } from './checks.ts';
import { contentOf, pack } from './content.ts';
import type { Draft, DraftChanges } from './draft.ts';
import { readOriginal } from './original.ts';
import { requireDraft, requireEditable, requireSender, requireSenderOf } from './policy.ts';
import { writeDraft } from './writes.ts';

const plainFields = [
  'kind',
  'mailbox_id',
  'in_reply_to_message_id',
  'from_email_address',
  'to_email_addresses',
  'cc_email_addresses',
  'bcc_email_addresses',
  'subject',
] as const;

/** A text that is sent alone replaces the HTML as well, and the other way round. */
function withContent({ packed, ...rest }: Draft, sent: DraftChanges): Draft {
  if (sent.body === undefined && sent.body_html === undefined) return packed ? { ...rest, packed } : rest;
  return { ...rest, ...pack(contentOf(sent)) };
}

/** Another message is answered, or none; what is written stays. */
async function withAnswered(
  ctx: CallerContext,
  bucket: () => Bucket,
  draft: Draft,
  before: Draft,
): Promise<Draft> {
  const { in_reply_to_message_id: id, kind } = draft;
  if (id === before.in_reply_to_message_id && kind === before.kind) return draft;
  const { answered: _, ...rest } = draft;
  if (id === null) return rest;
  return { ...rest, answered: answeredOf(kind, await readOriginal(ctx, bucket(), id)) };
}

/** As in `createDraft`; 422 `draft_not_editable` once it is queued. A draft that failed becomes one again. */
export function updateDraft(
  ctx: CallerContext,
  bucket: () => Bucket,
  id: string,
  changes: DraftChanges,
): Promise<Draft> {
  return retryOnConflict(async () => {
    const before = await requireDraft(ctx, id);
    const sent = sentAmong(plainFields, changes);
    const mailbox = await (sent.mailbox_id === undefined || sent.mailbox_id === before.mailbox_id
      ? requireSenderOf(ctx, before)
      : requireSender(ctx, sent.mailbox_id));
    requireVersion(ctx, id, before);
    requireEditable(before);
    const changed = withContent({ ...before, ...sent }, changes);
    if (sent.in_reply_to_message_id === null && sent.kind === undefined) changed.kind = 'new';
    if (sent.in_reply_to_message_id && sent.kind === undefined && before.kind === 'new')
      changed.kind = 'reply';
    const answering = await withAnswered(ctx, bucket, changed, before);
    return writeDraft(ctx, before, checked(answering, mailbox));
  });
}
