import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireEditableTask } from './policy.ts';
import { taskDeletion } from './writes.ts';

/** 404 for a task that the caller does not see, 403 for one that the caller may only look at. */
export function deleteTask(ctx: CallerContext<SeesRecords & KeepsLists>, id: string): Promise<void> {
  return retryOnConflict(async () => {
    await commit(ctx, await taskDeletion(ctx, await requireEditableTask(ctx, id)));
  });
}
