import { Temporal } from 'temporal-polyfill';
import { clockIn, startOfTomorrow } from '#shared/days.ts';
import { idTime, newIdFrom } from '#shared/ids.ts';

/** The days of briefings, and their mornings. */

export const dateIn = (time_zone: string, now: Date): string =>
  clockIn(time_zone, now).toPlainDate().toString();

/** Tells its date, so a briefing is found by its id in one read. */
export const briefingId = (user_id: string, date: string): string =>
  newIdFrom(new Date(date), 'daily_briefing', user_id, date);

/** Of any id: of one that is no briefing's, some day. */
export const dateOfId = (id: string): string => idTime(id).toISOString().slice(0, 10);

/** When a briefing is made without being asked for, by the clock of its user. */
const MORNING = '06:00';

/** The next morning after a moment, in milliseconds. That of a date that a zone skips is the morning of the next one. */
export function nextMorning(now: Date, timeZone: string): number {
  const today = clockIn(timeZone, now).toPlainDate();
  for (let days = 0; ; days++) {
    const morning = today.add({ days }).toZonedDateTime({ timeZone, plainTime: MORNING });
    if (morning.epochMilliseconds > now.getTime()) return morning.epochMilliseconds;
  }
}

/** Whether the morning of the day is still to come. */
export const isBeforeMorning = (now: Date, time_zone: string): boolean =>
  nextMorning(now, time_zone) < startOfTomorrow(now, time_zone);

/** The moment, or the last one of the day when that is over: a late worker writes of the day that it was asked for. */
export function momentOf({ date, time_zone }: { date: string; time_zone: string }, now: Date): Date {
  const end = Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(time_zone).epochMilliseconds;
  return now.getTime() < end ? now : new Date(end - 1);
}

/** The clock of the user: "2026-11-20 14:05". */
export const localTime = (time_zone: string, timestamp: string): string =>
  clockIn(time_zone, new Date(timestamp))
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
