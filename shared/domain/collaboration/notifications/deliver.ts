import type { Context } from '#shared/context.ts';
import type { Seer, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { whoSees } from '#shared/domain/collaboration/records/registry.ts';
import { findActiveUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, TRANSACTION_LIMIT, update, type Write, when } from '#shared/table/table.ts';
import { type Delivery, type DeliveryJob, draftOf } from './emit.ts';
import { notify } from './notification.ts';

/**
 * Those who see the record now with what they call it, also when it has been merged into another one since. What is
 * left of a merged record no longer says who sees it; while the merge is under way it does.
 */
async function seers(
  ctx: Context<SeesRecords>,
  record: Delivery['record'],
  users: User[],
): Promise<Map<string, Seer>> {
  const found = new Map<string, Seer>();
  let id: string | undefined = record.id;
  while (id !== undefined) {
    const stored: RecordItem | undefined = await ctx.table.get(keys.record(record.type, id));
    const next: string | undefined = stored?.merged_into;
    if (next === undefined || stored?.merging)
      for (const seer of await whoSees(ctx, { type: record.type, id }, users)) found.set(seer.user.id, seer);
    id = next;
  }
  return found;
}

/** A transaction: so many notifications, and the job that moves on. */
const NOTICES_AT_ONCE = TRANSACTION_LIMIT - 1;

/** Fails when another run of the job did this part, or all. */
function moveOn(job: DeliveryJob, count: number): Write {
  const key = keys.job(job.id);
  const before = { delivered: job.delivered };
  const delivered = job.delivered + count;
  return delivered >= job.delivery.notices.length
    ? { delete: key, when: when<DeliveryJob>(before) }
    : update<DeliveryJob>(key, { set: { delivered }, when: before });
}

/** The next notifications of the job, to those who see the record now. */
async function deliverSome(ctx: Context<SeesRecords>, job: DeliveryJob): Promise<void> {
  const { table } = ctx;
  const { delivery, delivered } = job;
  const next = delivery.notices.slice(delivered, delivered + NOTICES_AT_ONCE);
  const now = ctx.clock();
  const ids = next.map((notice) => notice.user_id);
  const users = await findActiveUsers(table, delivery.account_id, ids);
  const told = await seers(ctx, delivery.record, users);
  const due = next.flatMap((notice) => {
    const seer = told.get(notice.user_id);
    return seer ? [notify(draftOf(notice, delivery, seer.label), now)] : [];
  });
  await table.transact([...due, moveOn(job, next.length)]);
}

/**
 * Writes the notifications of a job, a hundred in a transaction that moves the job on, the last of which ends it:
 * a run after it, or at the same time, goes on from there. So nobody is told twice, the ids need not be the same
 * each time, and a notification that was held up is as new as the moment at which it arrives: what its user marked read
 * or dismissed before then does not hide it.
 */
export async function deliverNotifications(ctx: Context<SeesRecords>, job_id: string): Promise<void> {
  for (;;) {
    const job = await ctx.table.get<DeliveryJob>(keys.job(job_id));
    if (!job) return;
    try {
      await deliverSome(ctx, job);
    } catch (error) {
      // Another run did this part.
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}
