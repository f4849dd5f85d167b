import type { Context } from '#shared/context.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import { type Change, commit, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import { unlessOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { sendsMail } from '#shared/domain/platform/outgoing-mail/available.ts';
import { mailJob } from '#shared/domain/platform/outgoing-mail/job.ts';
import { keyOf } from '#shared/table/keys.ts';
import { present, update, type Write, when } from '#shared/table/table.ts';
import type { Due, SendingJob } from '../sending/job.ts';
import { digestWrites } from './digest.ts';
import { notificationMail } from './mail.ts';

/** Plans the mails of a job: for each notification a mail of its own, or a place in the digest of its user. */

/** Fails when another run planned them. */
function planned(job: SendingJob): Write {
  const [key, unplanned] = [keyOf(job), { due_mails: present }];
  return job.due_pushes.length === 0
    ? { delete: key, when: when<SendingJob>(unplanned) }
    : update<SendingJob>(key, { remove: ['due_mails'], when: unplanned });
}

async function mailsOf(ctx: Context, account_id: string, due: Due[]): Promise<Change> {
  const ids = [...new Set(due.map(({ user_id }) => user_id))];
  const users = await findUsers(ctx.table, account_id, ids);
  const hourly = new Set(users.filter((user) => user.notification_digest === 'hourly').map(({ id }) => id));
  const single = due.filter(({ user_id }) => !hourly.has(user_id));
  return {
    writes: await digestWrites(
      ctx,
      account_id,
      due.filter(({ user_id }) => hourly.has(user_id)),
    ),
    jobs: single.map((each) => mailJob(notificationMail, { account_id, ...each }, ctx.now)),
  };
}

/**
 * In one transaction, so each is planned once. Whoever planned them, they may be sent right away; nothing is planned
 * where the service sends no mail.
 */
export async function planMails(ctx: Context, job: SendingJob, due: Due[]): Promise<void> {
  const mails = sendsMail(ctx.config) ? await mailsOf(ctx, job.account_id, due) : noChange;
  await unlessOvertaken(commit(ctx, together([planned(job)], mails)));
}
