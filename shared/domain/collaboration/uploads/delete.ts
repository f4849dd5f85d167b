import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { ApiError } from '#shared/errors.ts';
import { type Bucket, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { missing, present, when } from '#shared/table/table.ts';
import { requireUnused, requireUpload } from './policy.ts';
import type { Upload } from './upload.ts';

/** 404 for an upload of somebody else; 409 `upload_already_used`: what uses it may be reading its bytes. */
export async function deleteUpload(ctx: CallerContext, bucket: Bucket, id: string): Promise<void> {
  const upload = await requireUpload(ctx, id);
  requireVersion(ctx, id, upload);
  requireUnused(upload);
  await ctx.table.transact([
    {
      delete: keys.upload(upload.id),
      when: when<Upload>({ PK: present, used_at: missing }),
      otherwise: () => new ApiError('upload_already_used'),
    },
  ]);
  await bucket.delete(objectKeys.upload(upload.id));
}
