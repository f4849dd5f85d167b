import type { Context } from '#shared/context.ts';
import { freeJob, holdJob } from '#shared/domain/platform/jobs/hold.ts';
import { getLogger } from '#shared/log.ts';
import { queues } from '#shared/queues/queues.ts';
import { keys } from '#shared/table/keys.ts';
import type { MailJob } from './job.ts';
import { MailRefused, type SendsMail, type WritesMail } from './mail.ts';
import { render } from './render.ts';

/** Milliseconds for one try; the rest of the worker's time is for the table. */
const SEND_TIME = 40_000;
const LEASE = queues['send-mail'].timeout * 1_000 + 5_000;

type SendingContext = Context<WritesMail & SendsMail>;

/** Logs the reason alone: what a server says about a mail names its recipient. */
async function unlessRefused(job: MailJob, send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    getLogger().warn('mail refused', { job_id: job.id, mail: job.body.mail, reason: error.message });
  }
}

async function write(ctx: SendingContext, { body: { mail, data } }: MailJob) {
  const kind = ctx.ports.mail_kinds[mail];
  if (!kind) throw new Error(`There is no mail of the kind ${mail}`);
  return kind.write(ctx, data);
}

/**
 * Sends the mail of a job. A job that is delivered twice sends once, unless the worker dies between sending and
 * completing: no server tells whether it had accepted a mail before.
 */
export async function sendMail(ctx: SendingContext, job_id: string): Promise<void> {
  const { table, now, ports } = ctx;
  const job = await holdJob<MailJob>(table, job_id, { now, milliseconds: LEASE });
  if (!job) return;
  try {
    const mail = await write(ctx, job);
    if (mail) {
      const letter = { id: job.id, ...render(mail) };
      await unlessRefused(job, () => ports.sendMail(ctx, letter, AbortSignal.timeout(SEND_TIME)));
    }
  } catch (error) {
    await freeJob(table, job);
    throw error;
  }
  await table.delete(keys.job(job.id));
}
