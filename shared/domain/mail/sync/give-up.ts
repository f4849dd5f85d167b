import { asOfNow, type Context } from '#shared/context.ts';
import { type Mailbox, readingStopped } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { endJob } from '#shared/domain/platform/jobs/end.ts';
import { complete, type Job } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { endOf } from './outcome.ts';

/** Ends the reading of a mailbox that the sweep gives up: people see it, and it is tried again later. */
export async function giveUpMailbox(ctx: Context, job: Job): Promise<void> {
  const { account_id, mailbox_id } = job.body as { account_id: string; mailbox_id: string };
  const mailbox = await ctx.table.get<Mailbox>(keys.mailbox(account_id, mailbox_id));
  const ending = asOfNow(ctx);
  if (mailbox?.mail_server) {
    const outcome = { failure: readingStopped, error: new Error(readingStopped.message) };
    await endJob(ending, job, await endOf(ending, mailbox, outcome));
  } else await ctx.table.transact([complete(job.id)]);
}
