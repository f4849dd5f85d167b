import { Temporal } from 'temporal-polyfill';

/** Days and weeks in the user's time zone. Times are in milliseconds. */

/** The local time in a time zone. */
export function clockIn(time_zone: string, now: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(time_zone);
}

/** Where clocks skip midnight, a day begins with its first moment. */
export function startOfToday(now: Date, time_zone: string): number {
  return clockIn(time_zone, now).startOfDay().epochMilliseconds;
}

export function startOfTomorrow(now: Date, time_zone: string): number {
  return clockIn(time_zone, now).add({ days: 1 }).startOfDay().epochMilliseconds;
}

export function startOfWeek(now: Date, time_zone: string, week_starts_on: 'monday' | 'sunday'): number {
  const today = clockIn(time_zone, now).toPlainDate();
  // ISO 8601: Monday is 1, Sunday is 7.
  const days = week_starts_on === 'monday' ? today.dayOfWeek - 1 : today.dayOfWeek % 7;
  return today.subtract({ days }).toZonedDateTime(time_zone).epochMilliseconds;
}
