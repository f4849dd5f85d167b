import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireOneself } from '#shared/domain/identity/users/policy.ts';
import { recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { placeOf } from '../store.ts';
import type { CalendarSubscription } from './subscription.ts';

/** Users have their own subscriptions only, to calendars that they see. */

/** 403 for another user's, 404 for one that is not there. */
export async function requireSubscription(
  ctx: CallerContext,
  user_id: string,
  id: string,
): Promise<CalendarSubscription> {
  await requireOneself(ctx, user_id);
  const found = await ctx.table.get<CalendarSubscription>(keys.calendarSubscription(user_id, id));
  if (!found) throw recordNotFound();
  return found;
}

/** The same, and 404 while the caller does not see the calendar. */
export async function requireSubscriptionInUse(
  ctx: CallerContext,
  user_id: string,
  id: string,
): Promise<CalendarSubscription> {
  const found = await requireSubscription(ctx, user_id, id);
  if (!(await placeOf(ctx, found.calendar_id))) throw recordNotFound();
  return found;
}
