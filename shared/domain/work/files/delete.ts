import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireEditableFile, requireRemovable } from './policy.ts';
import { fileDeletion } from './writes.ts';

/** 404 and 403 as for changes; 422 `file_is_attachment`. */
export function deleteFile(ctx: CallerContext<SeesRecords & KeepsLists>, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const file = await requireEditableFile(ctx, id);
    requireRemovable(file);
    await commit(ctx, await fileDeletion(ctx, file));
  });
}
