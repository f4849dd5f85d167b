import { type Context, contextOf } from '#shared/context.ts';
import { giveUpReading } from '#shared/domain/exchange/calendar-sync/give-up.ts';
import { failExport } from '#shared/domain/exchange/exports/fail.ts';
import { failImport as failRecordImport } from '#shared/domain/exchange/imports/fail.ts';
import { giveUpSending } from '#shared/domain/mail/drafts/sending/give-up.ts';
import { failImport } from '#shared/domain/mail/imports/fail.ts';
import { giveUpMailbox } from '#shared/domain/mail/sync/give-up.ts';
import { type Job, sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { giveUpMail, isMailJob } from '#shared/domain/platform/outgoing-mail/job.ts';
import { getLogger } from '#shared/log.ts';
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

/** Every minute: sends jobs again whose message was lost, and ends those that were sent too often. */
export async function handler(): Promise<void> {
  const ctx = contextOf(getServices(), {});
  const giveUp = async (job: Job) => {
    if (isMailJob(job)) await giveUpMail(ctx.table, job);
    else await endings[job.queue]?.(ctx, job);
  };
  const sent = await sweepJobs(ctx, { giveUp });
  if (sent > 0) getLogger().warn('jobs sent again', { sent });
}
