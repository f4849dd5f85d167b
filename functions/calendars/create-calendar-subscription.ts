import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { calendarFiles } from '#shared/composition/calendar-servers.ts';
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
    'Keeps how the key’s user shows a calendar: one that the user sees (`calendar_id`), or a file of iCalendar at a public address (`url`), which becomes a calendar of the user’s own that can only be read. It is read now and every four hours. A subscription that exists is returned unchanged.',
  body: { calendar_subscription: calendarSubscriptionDraft },
  examples: {
    body: {
      calendar_subscription: { calendar_id: '0198c0de-0000-7000-8000-000000000001', color: '#2F6FED' },
    },
  },
  returns: { 200: { calendar_subscription: calendarSubscriptionSchema } },
  errors: ['permission_denied', 'provider_failed'],
  uses: ['table:write', 'calendars', 'queue:sync-calendars'],
});

export const handler = handle(
  createCalendarSubscription,
  async ({ ctx, params, body }) => ({
    calendar_subscription: presentCalendarSubscription(
      await create(ctx, params.user_id, body.calendar_subscription),
    ),
  }),
  calendarFiles,
);
