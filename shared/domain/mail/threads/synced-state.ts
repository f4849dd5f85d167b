import type { Caller } from '#shared/domain/identity/caller.ts';
import { owedLabels } from '#shared/domain/mail/label-sync/job.ts';
import { dispatch, type Job } from '#shared/domain/platform/jobs/job.ts';
import type { Services } from '#shared/services.ts';
import { type Change, changeState } from './state.ts';

/** Like `changeState`, for flags and read marks: the user's mail servers follow. */
export async function changeSyncedState(
  services: Services,
  caller: Caller,
  id: string,
  change: Change,
): Promise<void> {
  let job: Job | undefined;
  await changeState(services.table, caller, id, change, (before, after) => {
    const owed = owedLabels(caller.user, before, after, services.now());
    job = owed?.job;
    return owed ? [owed.write] : [];
  });
  if (job) await dispatch(services, job);
}
