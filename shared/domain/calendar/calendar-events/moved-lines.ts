import { Temporal } from 'temporal-polyfill';
import { movedBy, readStamp, withUntil } from './recurrence.ts';

/** The lines of a series that moves to other days, or to another time. */

/** When the first occurrence of a series is, in its time zone. */
export interface Beginning {
  zone: string;
  first: Temporal.PlainDateTime;
}

const { compare } = Temporal.PlainDateTime;

/** The last moment that lines can say. */
const LAST = Temporal.PlainDateTime.from('9999-12-31T23:59:59');

const basic = (local: Temporal.PlainDateTime) =>
  local.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');

/** As far from the first occurrence as before, so the rule names as many days. */
function movedUntil(stamp: string, from: Beginning, to: Beginning): string {
  const until = readStamp(stamp, from.zone);
  const at = until instanceof Temporal.PlainDate ? until.toPlainDateTime(from.first) : until;
  const local = to.first.add(from.first.until(at));
  const utc = stamp.endsWith('Z') ? local.toZonedDateTime(to.zone).withTimeZone('UTC') : undefined;
  const written = utc?.toPlainDateTime() ?? local;
  const text = basic(compare(written, LAST) > 0 ? LAST : written);
  return until instanceof Temporal.PlainDate ? text.slice(0, 8) : `${text}${utc ? 'Z' : ''}`;
}

/** All dates as many days later, and the end of the rule as much later as the first occurrence. */
export const movedLines = (lines: string[], from: Beginning, to: Beginning): string[] =>
  withUntil(movedBy(lines, daysBetween(from, to)), (stamp) => movedUntil(stamp, from, to));

export const daysBetween = (from: Beginning, to: Beginning) =>
  from.first.toPlainDate().until(to.first.toPlainDate()).days;
