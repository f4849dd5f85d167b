import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, commit } from '#shared/domain/platform/jobs/commit.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustExist, update } from '#shared/table/table.ts';
import type { Followed, ServerCalendar } from '../calendar.ts';
import { followJob } from '../followed/job.ts';
import { requireSubscription } from './policy.ts';
import type { CalendarSubscription } from './subscription.ts';

/** With the subscription to an address ends its calendar: a job removes the events. */
async function endOfFollowing(
  { table, caller, now }: CallerContext,
  { calendar_id, url }: CalendarSubscription,
): Promise<Change> {
  const account_id = caller.account.id;
  const key = keys.calendar(account_id, calendar_id);
  const { follow } = (url === undefined ? undefined : await table.get<ServerCalendar>(key)) ?? {};
  if (!follow) return { writes: [], jobs: [] };
  const ended: Followed = { ...follow, ended: true, next_at: null };
  const write = update<ServerCalendar>(key, { set: { follow: ended }, when: { follow } });
  return { writes: [write], jobs: [followJob({ account_id, calendar_id }, now)] };
}

/** Also while the caller does not see the calendar. */
export function deleteCalendarSubscription(ctx: CallerContext, user_id: string, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const subscription = await requireSubscription(ctx, user_id, id);
    const { writes, jobs } = await endOfFollowing(ctx, subscription);
    await commit(ctx, { writes: [{ delete: keyOf(subscription), when: mustExist }, ...writes], jobs });
  });
}
