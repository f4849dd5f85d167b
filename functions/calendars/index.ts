export * as listCalendars from './list-calendars.ts';
export * as updateCalendar from './update-calendar.ts';
