import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireDeletableSpace } from './policy.ts';
import { spaceDeletion } from './writes.ts';

/** 404 for a space that the caller does not see; 403 for everyone except its owner and admins. */
export function deleteSpace(ctx: CallerContext<KeepsLists>, id: string): Promise<void> {
  return retryOnConflict(async () => {
    await commit(ctx, await spaceDeletion(ctx, await requireDeletableSpace(ctx, id)));
  });
}
