import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { keepBytes, keeping, unlessStored } from '#shared/domain/collaboration/uploads/keep-bytes.ts';
import { requireUnusedUpload } from '#shared/domain/collaboration/uploads/policy.ts';
import { MAX_FILE_BYTES, type Upload } from '#shared/domain/collaboration/uploads/upload.ts';
import { useOf } from '#shared/domain/collaboration/uploads/use.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { ApiError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { type Bucket, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { extensionOf } from './extension.ts';
import type { File, FileDraft } from './file.ts';
import { aroundFiles } from './policy.ts';
import { removalOfBytes } from './removal.ts';
import { withSent } from './sent.ts';
import { fileChange } from './writes.ts';

/** Of the caller, as uploaded; without links it is private. */
function uploadedFile({ caller, now }: CallerContext, upload: Upload, source: File['source']): File {
  const id = newId(now);
  return {
    ...keys.record('files', id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    name: upload.file_name,
    file_name: upload.file_name,
    extension: extensionOf(upload.file_name),
    content_type: upload.content_type,
    description: null,
    size: upload.size,
    source,
    decorative: false,
    links: [],
    visibility: 'private',
    shares: {},
    created_at: now.toISOString(),
    updated_at: null,
  };
}

/**
 * 404 for an upload of somebody else or a link that is not visible, 409 `upload_already_used`, 413 `file_too_large`, 422
 * `upload_incomplete`. Whatever fails, the upload can be used again.
 */
export async function createFile(
  ctx: CallerContext<SeesRecords & KeepsLists>,
  bucket: Bucket,
  { upload_id, ...draft }: FileDraft,
  source: 'upload' | 'draft' = 'upload',
): Promise<File> {
  const upload = await requireUnusedUpload(ctx, upload_id);
  if (upload.size > MAX_FILE_BYTES) throw new ApiError('file_too_large');
  const empty = uploadedFile(ctx, upload, source);
  await withSent(empty, draft, aroundFiles(ctx).linked);
  const removal = unlessStored(removalOfBytes(empty, ctx.now), ctx.now);
  await ctx.table.transact([enqueue(removal)]);
  await keepBytes(bucket, upload, objectKeys.file(empty.account_id, empty.id));
  return retryOnConflict(async () => {
    const sent = await withSent(empty, draft, aroundFiles(ctx).linked);
    const visibility = draft.visibility ?? (sent.links.length > 0 ? 'linked' : 'private');
    const after = { ...sent, visibility };
    const besides = [useOf(upload, ctx.now, after.id), keeping(removal)];
    await commit(ctx, await fileChange(ctx, ctx.ports.records, { before: undefined, after, besides }));
    return after;
  });
}
