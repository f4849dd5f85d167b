import { keys } from '../../table/keys.ts';
import { ConditionFailed, type Item, type Table } from '../../table/table.ts';
import { fulfilOnce } from '../jobs/job.ts';
import { whoSees } from '../records/registry.ts';
import { findActiveUsers } from '../users/store.ts';
import type { User } from '../users/user.ts';
import { type Delivery, draftOf } from './emit.ts';
import { notify } from './notification.ts';

/** Those who see the record by now, also when it has been merged into another one since. */
async function seers(table: Table, record: Delivery['record'], users: User[]): Promise<Set<string>> {
  const found = new Set<string>();
  let id: string | undefined = record.id;
  while (id !== undefined) {
    for (const user of await whoSees(table, { type: record.type, id }, users)) found.add(user.id);
    const stored: Item | undefined = await table.get(keys.record(record.type, id));
    id = stored?.merged_into as string | undefined;
  }
  return found;
}

/**
 * Writes the notifications of a job to those who see the record now, and ends the job, in one transaction: whoever runs
 * it again finds it ended. So the ids need not be the same each time, and a notification that was held up is as new as
 * the moment at which it arrives: what its user marked read or dismissed before then does not hide it.
 */
export async function deliverNotifications(
  table: Table,
  job_id: string,
  delivery: Delivery,
  now: Date,
): Promise<void> {
  const ids = delivery.notices.map((notice) => notice.user_id);
  const users = await findActiveUsers(table, delivery.account_id, ids);
  const told = await seers(table, delivery.record, users);
  const due = delivery.notices.filter((notice) => told.has(notice.user_id));
  try {
    await table.transact([
      ...due.map((notice) => notify(draftOf(notice, delivery), now)),
      fulfilOnce(job_id),
    ]);
  } catch (error) {
    // Delivered before.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
