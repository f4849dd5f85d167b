import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { owedLabels } from '#shared/domain/mail/label-sync/job.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type Change, planState } from './state.ts';

/** Like `changeState`, for flags and read marks, which are also written to the user's mail servers. */
export function changeSyncedState(ctx: CallerContext, id: string, change: Change): Promise<void> {
  return retryOnConflict(async () => {
    const planned = await planState(ctx, id, change);
    if (!planned) return;
    const { before, after, writes } = planned;
    const owed = owedLabels(ctx.caller.user, before, after, ctx.clock());
    await commit(ctx, { writes, jobs: owed ? [owed] : [] });
  });
}
