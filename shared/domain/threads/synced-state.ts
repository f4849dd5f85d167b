import type { Services } from '../../services.ts';
import type { Caller } from '../caller.ts';
import { dispatch, type Job } from '../jobs/job.ts';
import { owedLabels } from '../label-sync/job.ts';
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
