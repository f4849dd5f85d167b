import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireOneself } from '#shared/domain/identity/users/policy.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, mustNotExist } from '#shared/table/table.ts';
import type { ReachesCalendarFiles } from '../../servers/file.ts';
import { followAddress } from '../followed/follow.ts';
import { requireCalendar } from '../policy.ts';
import {
  type CalendarSubscription,
  type CalendarSubscriptionDraft,
  subscriptionIdOf,
} from './subscription.ts';

type ToCalendar = Pick<CalendarSubscriptionDraft, 'visible' | 'color'> & { calendar_id: string };

async function subscribe(
  ctx: CallerContext,
  user_id: string,
  { calendar_id, visible, color = null }: ToCalendar,
): Promise<CalendarSubscription> {
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

/** Returns an existing subscription unchanged. 403 for another user, 404 for a calendar that the caller does not see. */
export async function createCalendarSubscription(
  ctx: CallerContext<ReachesCalendarFiles>,
  user_id: string,
  { calendar_id, url, ...shown }: CalendarSubscriptionDraft,
): Promise<CalendarSubscription> {
  await requireOneself(ctx, user_id);
  if (url !== undefined) return followAddress(ctx, { ...shown, url });
  return subscribe(ctx, user_id, { ...shown, calendar_id: calendar_id as string });
}
