import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireEditableDeal } from './policy.ts';
import { dealDeletion } from './writes.ts';

/**
 * Deletes a deal: nobody finds it from then on, and a job removes its dependents. 404 for one that the caller does not
 * see, 403 for one that the caller may only look at.
 */
export function deleteDeal(ctx: CallerContext<KeepsLists>, id: string): Promise<void> {
  return retryOnConflict(async () => {
    await commit(ctx, await dealDeletion(ctx, await requireEditableDeal(ctx, id)));
  });
}
