import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import { keyOf } from '#shared/table/keys.ts';
import { ConditionFailed, mustExist } from '#shared/table/table.ts';
import { requireSubscriptionInUse } from './policy.ts';
import type { CalendarSubscription, CalendarSubscriptionChanges } from './subscription.ts';

export async function updateCalendarSubscription(
  ctx: CallerContext,
  user_id: string,
  id: string,
  changes: CalendarSubscriptionChanges,
): Promise<CalendarSubscription> {
  const before = await requireSubscriptionInUse(ctx, user_id, id);
  const set = sentAmong(['visible', 'color'], changes);
  if (Object.keys(set).length === 0) return before;
  try {
    return await ctx.table.update<CalendarSubscription>(keyOf(before), { set, when: mustExist });
  } catch (error) {
    // Deleted meanwhile.
    if (error instanceof ConditionFailed) throw recordNotFound();
    throw error;
  }
}
