import { randomUUID } from 'node:crypto';
import { keepBytes, keeping, unlessStored } from '#shared/domain/collaboration/uploads/keep-bytes.ts';
import { requireUnusedUpload } from '#shared/domain/collaboration/uploads/policy.ts';
import type { Upload } from '#shared/domain/collaboration/uploads/upload.ts';
import { useOf } from '#shared/domain/collaboration/uploads/use.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { removalOfAvatar } from '#shared/domain/identity/users/avatar-removal.ts';
import type { KeptAvatar } from '#shared/domain/identity/users/avatar-sent.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { type Bucket, objectKeys } from '#shared/providers/files/bucket.ts';

/** Bytes: every client loads the pictures of all users it shows. */
const MAX_BYTES = 1024 * 1024;

/** Raster images run no script. */
const TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

function requirePicture({ content_type, size }: Upload): void {
  if (!TYPES.has(content_type))
    throw invalidField('avatar_upload_id', 'invalid', `must be of a type of ${[...TYPES].join(', ')}`);
  if (size > MAX_BYTES) throw new ApiError('file_too_large');
}

/**
 * The bytes of an upload as a picture, which stays when the transaction with the writes succeeds. 404 for an upload of
 * somebody else, 409 `upload_already_used`, 413 `file_too_large`, 422 `upload_incomplete`.
 */
export async function keepAvatar(ctx: CallerContext, bucket: Bucket, upload_id: string): Promise<KeptAvatar> {
  const upload = await requireUnusedUpload(ctx, upload_id);
  requirePicture(upload);
  const { account_id } = upload;
  const avatar_id = randomUUID();
  const removal = unlessStored(removalOfAvatar(account_id, avatar_id, ctx.now), ctx.now);
  await ctx.table.transact([enqueue(removal)]);
  await keepBytes(bucket, upload, objectKeys.avatar(account_id, avatar_id));
  return { avatar_id, writes: [useOf(upload, ctx.now), keeping(removal)] };
}
