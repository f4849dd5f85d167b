import { Temporal } from 'temporal-polyfill';
import { readStamp, withStamps, withUntil } from './recurrence.ts';

/** The lines of a series that moves to other days, or to another time. */

/** When the first occurrence of a series is, in its time zone. */
export interface Beginning {
  zone: string;
  first: Temporal.PlainDateTime;
  all_day: boolean;
}

const { compare } = Temporal.PlainDateTime;

/** The last moment that lines can say. */
const LAST = Temporal.PlainDateTime.from('9999-12-31T23:59:59');

export const daysBetween = (from: Beginning, to: Beginning) =>
  from.first.toPlainDate().until(to.first.toPlainDate()).days;

const basic = (named: Temporal.PlainDate | Temporal.PlainDateTime) =>
  (named instanceof Temporal.PlainDate
    ? named.toString()
    : named.toString({ smallestUnit: 'second' })
  ).replace(/[-:]/g, '');

/** As it is on the clocks of the time zone in which it is written. */
const clockAt = (local: Temporal.PlainDateTime, zone: string, written: string) =>
  zone === written ? local : local.toZonedDateTime(zone).withTimeZone(written).toPlainDateTime();

/** As far from the first occurrence as before, so the rule names as many days. */
function movedUntil(stamp: string, from: Beginning, to: Beginning): string {
  const until = readStamp(stamp, from.zone);
  const at = until instanceof Temporal.PlainDate ? until.toPlainDateTime(from.first) : until;
  const local = to.first.add(from.first.until(at));
  const utc = stamp.endsWith('Z');
  const written = utc ? clockAt(local, to.zone, 'UTC') : local;
  const text = basic(compare(written, LAST) > 0 ? LAST : written);
  return until instanceof Temporal.PlainDate ? text.slice(0, 8) : `${text}${utc ? 'Z' : ''}`;
}

/**
 * A date at the time of the series is at its new time, or its occurrence would be another one. Any other keeps its time.
 * `zone` is the one that its line names.
 */
function movedStamp(stamp: string, zone: string | undefined, from: Beginning, to: Beginning): string {
  const named = readStamp(stamp, from.zone, zone);
  const moved = named.add({ days: daysBetween(from, to) });
  if (moved instanceof Temporal.PlainDate) return basic(moved);
  const usual = from.all_day || moved.toPlainTime().equals(from.first.toPlainTime());
  const local = usual ? moved.withPlainTime(to.first) : moved;
  if (stamp.endsWith('Z')) return `${basic(clockAt(local, to.zone, 'UTC'))}Z`;
  return basic(clockAt(local, to.zone, zone ?? to.zone));
}

/** Dates move by days, and the end of the rule as the first occurrence does. */
export const movedLines = (lines: string[], from: Beginning, to: Beginning): string[] =>
  withStamps(
    withUntil(lines, (stamp) => movedUntil(stamp, from, to)),
    (stamp, zone) => [movedStamp(stamp, zone, from, to)],
  );
