import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Upload } from './upload.ts';

/** An upload of the caller; 404 for any other. */
export async function requireUpload({ table, caller }: CallerContext, id: string): Promise<Upload> {
  const upload = await table.get<Upload>(keys.upload(id));
  if (upload?.account_id !== caller.account.id || upload.user_id !== caller.user.id) throw recordNotFound();
  return upload;
}

/** 409 `upload_already_used`. */
export function requireUnused({ used_at }: Upload): void {
  if (used_at !== undefined) throw new ApiError('upload_already_used');
}

/** An upload of the caller that has not been used. 404 and 409 as above. */
export async function requireUnusedUpload(ctx: CallerContext, id: string): Promise<Upload> {
  const upload = await requireUpload(ctx, id);
  requireUnused(upload);
  return upload;
}
