import type * as z from 'zod';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist } from '#shared/table/table.ts';
import { MEGABYTE, maxBytes, UPLOAD_SECONDS, type Upload, type uploadDraft } from './upload.ts';

/** The bucket also deletes uploaded bytes after 30 days. */
const KEPT_SECONDS = 30 * 86_400;

/** 413 `file_too_large`, before any byte is sent. */
export async function createUpload(
  { table, caller, now }: CallerContext,
  draft: z.infer<typeof uploadDraft>,
): Promise<Upload> {
  const most = maxBytes(draft.content_type);
  if (draft.size > most)
    throw new ApiError('file_too_large', {
      message: `A file of this type may have ${(most / MEGABYTE).toLocaleString('en')} MB at most.`,
    });
  const id = newId(now);
  const upload: Upload = {
    ...keys.upload(id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    file_name: draft.file_name,
    content_type: draft.content_type,
    size: draft.size,
    ...(draft.sha256 ? { sha256: draft.sha256 } : {}),
    file_id: null,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + UPLOAD_SECONDS * 1_000).toISOString(),
    expires_epoch: Math.floor(now.getTime() / 1_000) + KEPT_SECONDS,
  };
  await table.put(upload, mustNotExist);
  return upload;
}
