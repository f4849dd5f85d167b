import * as z from 'zod';
import { idFrom } from '#shared/ids.ts';
import { apart, defaulted, fixed, given, optional, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { color, timestamp, uuid } from '#shared/values.ts';
import { fileAddress } from '../followed/address.ts';

const subscriptions = resource('CalendarSubscription', {
  id: given(uuid),
  user_id: given(uuid),
  calendar_id: fixed(optional(uuid.optional(), uuid)),
  url: fixed(apart(optional(fileAddress.optional(), z.string().nullable()))),
  visible: defaulted(z.boolean(), true, z.boolean()),
  color: optional(color.nullish(), color.nullable()),
  created_at: given(timestamp),
});

/** How a user shows a calendar. It gives no access. */
export type CalendarSubscription = Item &
  StoredFields<typeof subscriptions.fields> & {
    /** The address of the file whose calendar it is. */
    url?: string;
  };

/** docs/specification/calendar.md, "Calendars". */
export const calendarSubscriptionSchema = subscriptions.response;

export const calendarSubscriptionDraft = subscriptions.strictDraft
  .check((context) => {
    const { calendar_id, url } = context.value;
    const issue = (field: string, field_code: 'required' | 'invalid', message: string) =>
      context.issues.push({
        ...{ code: 'custom', path: [field], input: context.value, message },
        params: { field_code },
      });
    if (calendar_id === undefined && url === undefined)
      issue('calendar_id', 'required', 'is required without url');
    if (calendar_id !== undefined && url !== undefined)
      issue('url', 'invalid', 'cannot be sent with calendar_id');
  })
  .meta({ id: 'CalendarSubscriptionDraft' });

export type CalendarSubscriptionDraft = z.output<typeof calendarSubscriptionDraft>;

export const calendarSubscriptionChanges = subscriptions.changes.meta({ id: 'CalendarSubscriptionChanges' });

export type CalendarSubscriptionChanges = z.output<typeof subscriptions.writableChanges>;

/** A user has one subscription to a calendar, or to the address of one. */
export const subscriptionIdOf = (user_id: string, calendar: string) =>
  idFrom('calendar subscription', user_id, calendar);

export const presentCalendarSubscription = (subscription: CalendarSubscription) =>
  subscriptions.present(subscription, { url: subscription.url ?? null });
