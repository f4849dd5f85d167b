import { contextOf } from '#shared/context.ts';
import { failImport } from '#shared/domain/mail/imports/fail.ts';
import { type Job, sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { giveUpMail, isMailJob } from '#shared/domain/platform/outgoing-mail/job.ts';
import { getLogger } from '#shared/log.ts';
import { getServices } from '#shared/services.ts';

/** Every minute: sends jobs again whose message was lost, and ends imports and mail whose job was sent too often. */
export async function handler(): Promise<void> {
  const ctx = contextOf(getServices(), {});
  const giveUp = async (job: Job) => {
    if (job.queue === 'import-mail') await failImport(ctx, job.body.import_id as string);
    if (isMailJob(job)) await giveUpMail(ctx.table, job);
  };
  const sent = await sweepJobs(ctx, { giveUp });
  if (sent > 0) getLogger().warn('jobs sent again', { sent });
}
