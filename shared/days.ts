import { Temporal } from 'temporal-polyfill';

/** A user's days and weeks, by the clock of the user's time zone. Moments are milliseconds. */

/** What the clocks of the time zone show. */
export function clockIn(time_zone: string, now: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(time_zone);
}

/** Where clocks leave midnight out, a day begins with its first moment. */
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
