import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { createCalendarSubscription as create } from '#shared/domain/calendar/calendars/subscriptions/create.ts';
import {
  calendarSubscriptionDraft,
  calendarSubscriptionSchema,
  presentCalendarSubscription,
} from '#shared/domain/calendar/calendars/subscriptions/subscription.ts';

export const createCalendarSubscription = route('createCalendarSubscription', {
  method: 'POST',
  path: '/users/{user_id}/calendar_subscriptions',
  access: 'write',
  summary: 'Subscribe to a calendar',
  description:
    'Keeps how the key’s user shows a calendar that the user sees. A subscription that exists is returned unchanged.',
  body: { calendar_subscription: calendarSubscriptionDraft },
  returns: { 200: { calendar_subscription: calendarSubscriptionSchema } },
  errors: ['permission_denied'],
  uses: ['table:write'],
});

export const handler = handle(createCalendarSubscription, async ({ ctx, params, body }) => ({
  calendar_subscription: presentCalendarSubscription(
    await create(ctx, params.user_id, body.calendar_subscription),
  ),
}));
