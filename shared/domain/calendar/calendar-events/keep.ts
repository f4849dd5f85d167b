import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { findVisibleEvent } from './access.ts';
import { eventChange, storable } from './writes.ts';

/** Stores an occurrence that has no item yet, before something is stored under it. */
export function keepEvent(ctx: CallerContext, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const found = await findVisibleEvent(ctx, id);
    if (!found || found.stored) return;
    await commit(ctx, await eventChange(ctx, found, storable(found.event, ctx.now)));
  });
}
