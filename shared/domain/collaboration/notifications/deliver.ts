import type { Context } from '#shared/context.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { isActive } from '#shared/domain/identity/accounts/closed.ts';
import { findActiveUsers } from '#shared/domain/identity/users/store.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { ConditionFailed, TRANSACTION_LIMIT, update, type Write, when } from '#shared/table/table.ts';
import { type DeliveryJob, draftOf } from './emit.ts';
import { newNotification, notify } from './notification.ts';
import { seers } from './seers.ts';
import { sendingJobs } from './sending/job.ts';

/** One transaction has this many notifications, the update of the job, and a job that sends them. */
const NOTICES_AT_ONCE = TRANSACTION_LIMIT - 2;

/** Fails when another run of the job delivered this part. */
function moveOn(job: DeliveryJob, count: number): Write {
  const key = keys.job(job.id);
  const before = { delivered: job.delivered };
  const delivered = job.delivered + count;
  return delivered >= job.delivery.notices.length
    ? { delete: key, when: when<DeliveryJob>(before) }
    : update<DeliveryJob>(key, { set: { delivered }, when: before });
}

/** Delivers the next notifications of the job, to users who see the record now. */
async function deliverSome(ctx: Context<SeesRecords>, job: DeliveryJob): Promise<void> {
  const { delivery, delivered } = job;
  const next = delivery.notices.slice(delivered, delivered + NOTICES_AT_ONCE);
  const now = ctx.clock();
  const ids = next.map((notice) => notice.user_id);
  const users = await findActiveUsers(ctx.table, delivery.account_id, ids);
  const told = await seers(ctx, delivery.record, users);
  const due = next.flatMap((notice) => {
    const seer = told.get(notice.user_id);
    return seer ? [newNotification(draftOf(notice, delivery, seer.label), now)] : [];
  });
  const jobs = sendingJobs(delivery.account_id, due, users, now);
  await commit(ctx, { writes: [...due.map(notify), moveOn(job, next.length)], jobs });
}

/**
 * Writes the notifications of a job, a hundred in each transaction together with the job's progress; the last one
 * completes it. A later or parallel run continues from there, so nobody is notified twice. A delayed notification
 * counts as created when it is delivered: marking all read or dismissing all before that does not hide it.
 */
export async function deliverNotifications(ctx: Context<SeesRecords>, job_id: string): Promise<void> {
  for (;;) {
    const job = await ctx.table.get<DeliveryJob>(keys.job(job_id));
    if (!job) return;
    if (!(await isActive(ctx.table, job.delivery.account_id))) return ctx.table.delete(keyOf(job));
    try {
      await deliverSome(ctx, job);
    } catch (error) {
      // Another run delivered this part.
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}
