import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { File, FileChanges } from './file.ts';
import { aroundFiles, requireEditableFile, requireVisibilityOf } from './policy.ts';
import { withSent } from './sent.ts';
import { fileChange } from './writes.ts';

/** 404 for a file or a link that the caller does not see, 403 for a file that the caller may only look at. */
export function updateFile(
  ctx: CallerContext<SeesRecords & KeepsLists>,
  id: string,
  changes: FileChanges,
): Promise<File> {
  return retryOnConflict(async () => {
    const around = aroundFiles(ctx);
    const before = await requireEditableFile(ctx, id, around);
    requireVisibilityOf(ctx, before, changes);
    const after = afterChange(before, await withSent(before, changes, around.linked), ctx.now);
    await commit(ctx, await fileChange(ctx, ctx.ports.records, { before, after }));
    return after;
  });
}
