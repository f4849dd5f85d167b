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
 * The users who see the record now and what they call it, also when it was merged into another one since. While the
 * merge is under way the old record still tells who sees it, afterwards the new one does.
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

/** One transaction has this many notifications, and the update of the job. */
const NOTICES_AT_ONCE = TRANSACTION_LIMIT - 1;

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
 * Writes the notifications of a job, a hundred in each transaction together with the job's progress; the last one
 * completes it. A later or parallel run continues from there, so nobody is notified twice. A delayed notification
 * counts as created when it is delivered: marking all read or dismissing all before that does not hide it.
 */
export async function deliverNotifications(ctx: Context<SeesRecords>, job_id: string): Promise<void> {
  for (;;) {
    const job = await ctx.table.get<DeliveryJob>(keys.job(job_id));
    if (!job) return;
    try {
      await deliverSome(ctx, job);
    } catch (error) {
      // Another run delivered this part.
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}
