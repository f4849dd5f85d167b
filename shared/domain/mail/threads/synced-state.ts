import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { owedLabels } from '#shared/domain/mail/label-sync/job.ts';
import { dispatch, type Job } from '#shared/domain/platform/jobs/job.ts';
import { type Change, changeState } from './state.ts';

/** Like `changeState`, for flags and read marks: the user's mail servers follow. */
export async function changeSyncedState(ctx: CallerContext, id: string, change: Change): Promise<void> {
  let job: Job | undefined;
  await changeState(ctx, id, change, (before, after) => {
    const owed = owedLabels(ctx.caller.user, before, after, ctx.clock());
    job = owed?.job;
    return owed ? [owed.write] : [];
  });
  if (job) await dispatch(ctx, job);
}
