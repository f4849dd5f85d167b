import { Temporal } from 'temporal-polyfill';
import { invalidField } from '#shared/errors.ts';
import { type Clocks, momentOf, type Written, writtenIn } from './event-moments.ts';
import { one, textIn, type VEvent } from './vevent.ts';

/** When an event of a file is, as a request sends it (RFC 5545, 3.6.1: DTSTART, DTEND, DURATION). */

/** 400 for what is no duration. */
function durationIn(event: VEvent): Temporal.Duration | undefined {
  const property = one(event, 'duration');
  if (!property) return undefined;
  try {
    return Temporal.Duration.from(textIn(property));
  } catch {
    throw invalidField('ends_at', 'invalid_format', 'follows from a duration that is none');
  }
}

/** An event of days without an end has one. */
function dayAfter(event: VEvent, day: Temporal.PlainDate, clocks: Clocks): Temporal.PlainDate {
  const end = one(event, 'dtend');
  const written = end && writtenIn(end, clocks, 'ends_on');
  const duration = durationIn(event);
  const next = day.add({ days: 1 });
  if (!written) return duration ? later(day.add(duration), next) : next;
  const last = 'day' in written ? written.day : written.local.toPlainDate();
  // Some programs write the day itself.
  return last.equals(day) ? next : last;
}

const later = (a: Temporal.PlainDate, b: Temporal.PlainDate) =>
  Temporal.PlainDate.compare(a, b) > 0 ? a : b;

type Timed = Extract<Written, { local: unknown }>;

function endOf(event: VEvent, start: Timed, clocks: Clocks): string {
  const end = one(event, 'dtend');
  const written = end && writtenIn(end, clocks, 'ends_at');
  if (written)
    return 'local' in written
      ? momentOf(written)
      : momentOf({ local: written.day.toPlainDateTime(), zone: start.zone });
  const duration = durationIn(event);
  const zoned = start.local.toZonedDateTime(start.zone ?? 'UTC');
  return new Date((duration ? zoned.add(duration) : zoned).epochMilliseconds).toISOString();
}

const MINUTE = 60_000;

/** An event of no length has a minute: here, events end after they start. */
const afterStart = (starts_at: string, ends_at: string) =>
  ends_at === starts_at ? new Date(Date.parse(starts_at) + MINUTE).toISOString() : ends_at;

/** 400 for an event without a start. */
export function timesIn(event: VEvent, clocks: Clocks): Record<string, unknown> {
  const property = one(event, 'dtstart');
  if (!property) throw invalidField('starts_at', 'required', 'is required');
  const start = writtenIn(property, clocks, 'starts_at');
  if ('day' in start)
    return { starts_on: start.day.toString(), ends_on: dayAfter(event, start.day, clocks).toString() };
  const starts_at = momentOf(start);
  // A series in UTC has a zone as well.
  const repeats = ['rrule', 'rdate'].some((name) => event.has(name));
  const time_zone = start.zone ?? (repeats ? 'UTC' : null);
  return { starts_at, ends_at: afterStart(starts_at, endOf(event, start, clocks)), time_zone };
}
