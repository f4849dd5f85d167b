import { type Context, contextOf } from '#shared/context.ts';
import { giveUpReading } from '#shared/domain/exchange/calendar-sync/give-up.ts';
import { failExport } from '#shared/domain/exchange/exports/fail.ts';
import { failImport as failRecordImport } from '#shared/domain/exchange/imports/fail.ts';
import { giveUpSending } from '#shared/domain/mail/drafts/sending/give-up.ts';
import { failImport } from '#shared/domain/mail/imports/fail.ts';
import { giveUpMailbox } from '#shared/domain/mail/sync/give-up.ts';
import { type Job, sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { giveUpMail, isMailJob } from '#shared/domain/platform/outgoing-mail/job.ts';
import { describeError, getLogger } from '#shared/log.ts';
import type { QueueName } from '#shared/queues/queues.ts';
import { getServices } from '#shared/services.ts';

/** What people wait for gets an end when its job was sent too often; all other jobs stay, for operators. */
const endings: { [Name in QueueName]?: (ctx: Context, job: Job) => Promise<void> } = {
  'import-mail': (ctx, { body }) => failImport(ctx, body.import_id as string),
  'import-records': (ctx, { body }) =>
    failRecordImport(ctx, body.user_id as string, body.import_id as string),
  'export-records': (ctx, { body }) => failExport(ctx, body.user_id as string, body.export_id as string),
  'send-drafts': giveUpSending,
  'sync-calendars': giveUpReading,
  'sync-mailboxes': giveUpMailbox,
};

/** Named in one line of the log. */
const NAMED = 20;

/** Whether it has an end now. One whose end fails does not hold up the others. */
async function end(ctx: Context, job: Job): Promise<boolean> {
  try {
    if (isMailJob(job)) await giveUpMail(ctx.table, job);
    else if (endings[job.queue]) await endings[job.queue]?.(ctx, job);
    else return false;
    return true;
  } catch (error) {
    getLogger().error('job without an end', { job_id: job.id, error: describeError(error) });
    return false;
  }
}

/**
 * Every minute: sends jobs again whose message was lost, and ends those that were sent too often. Fails, which raises an
 * alarm, as long as some of these stay.
 */
export async function handler(): Promise<void> {
  const ctx = contextOf(getServices(), {});
  const left: Job[] = [];
  const giveUp = async (job: Job) => {
    if (!(await end(ctx, job))) left.push(job);
  };
  const sent = await sweepJobs(ctx, { giveUp });
  if (sent > 0) getLogger().warn('jobs sent again', { sent });
  if (left.length === 0) return;
  const jobs = left.slice(0, NAMED).map(({ id, queue }) => ({ job_id: id, queue }));
  getLogger().error('jobs given up', { count: left.length, jobs });
  throw new Error(`${left.length} jobs are given up`);
}
