import type { Temporal } from 'temporal-polyfill';
import * as z from 'zod';
import { clockIn } from './days.ts';
import { invalidField } from './errors.ts';
import { moment, readMoment } from './moments.ts';
import { refuse } from './values.ts';

/** A moment to come in a request, or a word for one (docs/specification/mail.md, "Snooze"). */

type Clock = Temporal.ZonedDateTime;

const at = (day: Temporal.PlainDate, hour: number, { timeZoneId }: Clock): Clock =>
  day.toZonedDateTime({ timeZone: timeZoneId, plainTime: { hour } });

/** The next such day after today; ISO 8601: Monday is 1, Saturday is 6. */
function next(dayOfWeek: number, now: Clock): Temporal.PlainDate {
  return now.toPlainDate().add({ days: ((dayOfWeek - now.dayOfWeek + 6) % 7) + 1 });
}

/**
 * Half-way to midnight, rounded down to the minute: within the last minute of the day, the beginning of that minute.
 */
function halfwayToMidnight(now: Clock): Clock {
  const midnight = now.toPlainDate().add({ days: 1 }).toZonedDateTime(now.timeZoneId);
  const milliseconds = Math.floor((midnight.epochMilliseconds - now.epochMilliseconds) / 2);
  return now.add({ milliseconds }).round({ smallestUnit: 'minute', roundingMode: 'floor' });
}

/** `now` is in the user's time zone. */
const shortcuts = {
  soon: (now: Clock) => now.add({ hours: 3 }).round({ smallestUnit: 'hour', roundingMode: 'floor' }),
  tonight: (now: Clock) => (now.hour < 17 ? at(now.toPlainDate(), 19, now) : halfwayToMidnight(now)),
  morning: (now: Clock) => at(now.toPlainDate().add({ days: 1 }), 8, now),
  weekend: (now: Clock) => at(next(6, now), 8, now),
  week: (now: Clock) => at(next(1, now), 8, now),
  /** The last day of the month when it is shorter. */
  month: (now: Clock) => at(now.toPlainDate().add({ months: 1 }), 8, now),
};

type Shortcut = keyof typeof shortcuts;

const words = Object.keys(shortcuts).join(', ');

const isShortcut = (sent: string): sent is Shortcut => Object.hasOwn(shortcuts, sent);

/** A word, a date-time or a date. */
export const momentOrShortcut = z
  .string()
  .check((context) => {
    const { value } = context;
    if (value.trim() === '') return refuse(context, 'required', 'must not be empty');
    if (!isShortcut(value) && !moment.safeParse(value).success)
      refuse(
        context,
        'invalid_format',
        `must be an ISO 8601 date-time with an offset or Z, a date, or one of: ${words}`,
      );
  })
  .meta({
    description: `An ISO 8601 date-time with an offset or Z, a date (midnight in the user’s time zone), or one of: ${words}. A moment that has passed is accepted.`,
    example: 'tonight',
  });

/** `sent` matches `momentOrShortcut`. 400 `invalid` on `field` for one that is outside of the years 1 to 9999 in UTC. */
export function readMomentOrShortcut(
  sent: string,
  { field, now, time_zone }: { field: string; now: Date; time_zone: string },
): Date {
  const read = isShortcut(sent)
    ? new Date(shortcuts[sent](clockIn(time_zone, now)).epochMilliseconds)
    : readMoment(sent, time_zone);
  if (!/^(?!0000)\d{4}-/.test(read.toISOString())) throw invalidField(field, 'invalid', 'is out of range');
  return read;
}
