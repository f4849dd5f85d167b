import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireOneself } from '#shared/domain/identity/users/policy.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, mustNotExist } from '#shared/table/table.ts';
import { requireCalendar } from '../policy.ts';
import {
  type CalendarSubscription,
  type CalendarSubscriptionDraft,
  subscriptionIdOf,
} from './subscription.ts';

/** Returns an existing subscription unchanged. 403 for another user, 404 for a calendar that the caller does not see. */
export async function createCalendarSubscription(
  ctx: CallerContext,
  user_id: string,
  { calendar_id, visible, color = null }: CalendarSubscriptionDraft,
): Promise<CalendarSubscription> {
  await requireOneself(ctx, user_id);
  await requireCalendar(ctx, calendar_id);
  const id = subscriptionIdOf(user_id, calendar_id);
  const subscription: CalendarSubscription = {
    ...keys.calendarSubscription(user_id, id),
    ...{ id, user_id, calendar_id, visible, color },
    created_at: ctx.now.toISOString(),
  };
  try {
    await ctx.table.put(subscription, mustNotExist);
    return subscription;
  } catch (error) {
    if (error instanceof ConditionFailed && error.item) return error.item as CalendarSubscription;
    throw error;
  }
}
