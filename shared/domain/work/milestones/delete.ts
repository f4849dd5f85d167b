import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireEditableMilestone } from './policy.ts';
import { milestoneDeletion } from './writes.ts';

/** 404 for a milestone that the caller does not see, 403 for one that the caller may only look at. */
export function deleteMilestone(ctx: CallerContext<KeepsLists>, id: string): Promise<void> {
  return retryOnConflict(async () => {
    await commit(ctx, await milestoneDeletion(ctx, await requireEditableMilestone(ctx, id)));
  });
}
