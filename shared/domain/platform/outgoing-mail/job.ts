import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import { getLogger } from '#shared/log.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { MailKind, MailQueue } from './mail.ts';

/** Milliseconds until a mail whose message was lost is sent by the sweep: somebody may wait for it. */
const RESEND_AFTER = 2 * 60_000;

export interface MailJob extends Job {
  body: { mail: string; data: object };
}

/** A mail to send once the change that it belongs to is written. */
export function mailJob<Data extends object>(
  { name, queue = 'send-mail' }: Pick<MailKind<Data>, 'name' | 'queue'>,
  data: Data,
  now: Date,
): Job {
  const job = newJob(queue, { mail: name, data }, now);
  return { ...job, due: now.getTime() + RESEND_AFTER };
}

const mailQueues: ReadonlySet<string> = new Set<MailQueue>(['send-mail', 'mail-notifications']);

export const isMailJob = (job: Job): job is MailJob => mailQueues.has(job.queue);

/** Forgets a mail that no server took for hours: it holds an address, and nobody waits for it any more. */
export async function giveUpMail(table: Table, { id, body }: MailJob): Promise<void> {
  getLogger().error('mail given up', { job_id: id, mail: body.mail });
  await table.delete(keys.job(id));
}
