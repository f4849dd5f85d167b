import { sweepJobs } from '../../shared/domain/jobs/job.ts';
import { getLogger } from '../../shared/log.ts';
import { getServices } from '../../shared/services.ts';

/** Every minute: sends the jobs again whose message was lost. */
export async function handler(): Promise<void> {
  const sent = await sweepJobs(getServices());
  if (sent > 0) getLogger().warn('jobs sent again', { sent });
}
