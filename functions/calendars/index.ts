export * as createCalendarSubscription from './create-calendar-subscription.ts';
export * as deleteCalendarSubscription from './delete-calendar-subscription.ts';
export * as listCalendars from './list-calendars.ts';
export * as retrieveCalendarIcs from './retrieve-calendar-ics.ts';
export * as updateCalendar from './update-calendar.ts';
export * as updateCalendarSubscription from './update-calendar-subscription.ts';
