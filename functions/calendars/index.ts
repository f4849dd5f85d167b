export * as listCalendars from './list-calendars.ts';
export * as retrieveCalendarIcs from './retrieve-calendar-ics.ts';
export * as updateCalendar from './update-calendar.ts';
