import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import {
  calendarSubscriptionChanges,
  calendarSubscriptionSchema,
  presentCalendarSubscription,
} from '#shared/domain/calendar/calendars/subscriptions/subscription.ts';
import { updateCalendarSubscription as update } from '#shared/domain/calendar/calendars/subscriptions/update.ts';

export const updateCalendarSubscription = route('updateCalendarSubscription', {
  method: 'PATCH',
  path: '/users/{user_id}/calendar_subscriptions/{id}',
  access: 'write',
  summary: 'Update a calendar subscription',
  description:
    'One of the key’s user. Fields that are not sent stay, and `null` clears. 404 while the user does not see the calendar.',
  body: { calendar_subscription: calendarSubscriptionChanges },
  examples: { body: { calendar_subscription: { visible: false, color: '#2F6FED' } } },
  returns: { 200: { calendar_subscription: calendarSubscriptionSchema } },
  errors: ['permission_denied'],
  uses: ['table:write'],
});

export const handler = handle(updateCalendarSubscription, async ({ ctx, params, body }) => ({
  calendar_subscription: presentCalendarSubscription(
    await update(ctx, params.user_id, params.id, body.calendar_subscription),
  ),
}));
