import { Temporal } from 'temporal-polyfill';
import { clockIn } from '#shared/days.ts';
import { Fields } from '#shared/fields.ts';
import type { EventChanges } from './event.ts';
import type { Times } from './occurrences.ts';

/** When an event is, from what requests send of it (docs/specification/calendar.md, "Times"). */

export type SentTimes = Pick<
  EventChanges,
  'starts_at' | 'ends_at' | 'all_day' | 'starts_on' | 'ends_on' | 'time_zone'
>;

type Side = 'starts' | 'ends';

const dayIn = (zone: string, moment: string) => clockIn(zone, new Date(moment)).toPlainDate();

const startOf = (zone: string, day: Temporal.PlainDate) =>
  new Date(day.toZonedDateTime(zone).epochMilliseconds).toISOString();

const inYears = (moment: string) => /^(?!0000)\d{4}-/.test(moment);

/** The first day, or the one after the last; those of a timed event that becomes one of whole days. */
function dayOf(side: Side, sent: SentTimes, before: Times | undefined, zone: string, fields: Fields) {
  const on = sent[`${side}_on`];
  if (on !== undefined) return Temporal.PlainDate.from(on);
  const at = sent[`${side}_at`];
  if (at !== undefined) {
    const clock = clockIn(zone, new Date(at));
    if (!clock.equals(clock.startOfDay())) fields.add(`${side}_at`, 'invalid', `is not midnight in ${zone}`);
    return clock.toPlainDate();
  }
  const known = before?.[`${side}_on`];
  if (known) return Temporal.PlainDate.from(known);
  const moment = before?.[`${side}_at`] ?? '1970-01-01T00:00:00Z';
  if (side === 'starts') return dayIn(zone, moment);
  return dayIn(zone, new Date(Date.parse(moment) - 1).toISOString()).add({ days: 1 });
}

function wholeDays(sent: SentTimes, before: Times | undefined, zone: string, fields: Fields): Times {
  const starts = dayOf('starts', sent, before, zone, fields);
  const ends = dayOf('ends', sent, before, zone, fields);
  const named = sent.ends_on === undefined ? 'ends_at' : 'ends_on';
  if (Temporal.PlainDate.compare(starts, ends) >= 0)
    fields.add(named, 'invalid', 'must be after the start; the end is the day after the last one');
  const [starts_at, ends_at] = [startOf(zone, starts), startOf(zone, ends)];
  if (!inYears(starts_at)) fields.add('starts_on', 'invalid_format', 'must be in the years 1 to 9999 in UTC');
  if (!inYears(ends_at)) fields.add('ends_on', 'invalid_format', 'must be in the years 1 to 9999 in UTC');
  const days = { starts_on: starts.toString(), ends_on: ends.toString() };
  return { starts_at, ends_at, all_day: true, ...days, time_zone: zone };
}

function moments(sent: SentTimes, before: Times | undefined, fields: Fields): Times {
  const momentOf = (side: Side) => {
    if (sent[`${side}_on`] !== undefined) fields.add(`${side}_on`, 'invalid', 'is for all-day events');
    return new Date(sent[`${side}_at`] ?? before?.[`${side}_at`] ?? 0).toISOString();
  };
  const [starts_at, ends_at] = [momentOf('starts'), momentOf('ends')];
  if (starts_at >= ends_at) fields.add('ends_at', 'invalid', 'must be after the start');
  const time_zone = sent.time_zone === undefined ? (before?.time_zone ?? null) : sent.time_zone;
  return { starts_at, ends_at, all_day: false, starts_on: null, ends_on: null, time_zone };
}

/** `zone` is that of the calendar, for whole days without one. 400 for times that contradict one another. */
export function timesAfter(sent: SentTimes, before: Times | undefined, zone: string): Times {
  const fields = new Fields();
  const given = sent.starts_on !== undefined || sent.ends_on !== undefined;
  const all_day = sent.all_day ?? (given || (before?.all_day ?? false));
  const own = (sent.time_zone === undefined ? before?.time_zone : sent.time_zone) ?? zone;
  const times = all_day ? wholeDays(sent, before, own, fields) : moments(sent, before, fields);
  fields.throwIfAny();
  return times;
}

const names = ['starts_at', 'ends_at', 'all_day', 'starts_on', 'ends_on', 'time_zone'] as const;

/** Whether the request is about them. */
export const sendsTimes = (sent: SentTimes) => names.some((name) => sent[name] !== undefined);
