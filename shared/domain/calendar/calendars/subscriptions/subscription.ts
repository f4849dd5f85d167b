import * as z from 'zod';
import { idFrom } from '#shared/ids.ts';
import {
  defaulted,
  fixed,
  given,
  optional,
  required,
  resource,
  type StoredFields,
} from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { color, timestamp, uuid } from '#shared/values.ts';

const subscriptions = resource('CalendarSubscription', {
  id: given(uuid),
  user_id: given(uuid),
  calendar_id: fixed(required(uuid, uuid)),
  visible: defaulted(z.boolean(), true, z.boolean()),
  color: optional(color.nullish(), color.nullable()),
  created_at: given(timestamp),
});

/** How a user shows a calendar. It gives no access. */
export type CalendarSubscription = Item & StoredFields<typeof subscriptions.fields>;

/** docs/specification/calendar.md, "Calendars". */
export const calendarSubscriptionSchema = subscriptions.response;

export const calendarSubscriptionDraft = subscriptions.strictDraft.meta({ id: 'CalendarSubscriptionDraft' });

export type CalendarSubscriptionDraft = z.output<typeof calendarSubscriptionDraft>;

export const calendarSubscriptionChanges = subscriptions.changes.meta({ id: 'CalendarSubscriptionChanges' });

export type CalendarSubscriptionChanges = z.output<typeof subscriptions.writableChanges>;

/** A user has one subscription to a calendar. */
export const subscriptionIdOf = (user_id: string, calendar_id: string) =>
  idFrom('calendar subscription', user_id, calendar_id);

export const presentCalendarSubscription = (subscription: CalendarSubscription) =>
  subscriptions.present(subscription, {});
