import { MINUTE } from '#shared/domain/collaboration/reminders/minutes.ts';
import type { CalendarEvent } from './event.ts';
import { dayAt, stepsOf } from './expand.ts';
import { daysOf, isSeries } from './load.ts';
import type { OccurrenceKey } from './occurrence-id.ts';
import { type Day, earlier, later } from './occurrences.ts';

/**
 * The moments at which users are reminded of an event, in milliseconds. Those of a series are the moments of all its
 * occurrences at their times by the series, also of those that are deleted or have times of their own since: whether an
 * occurrence is there is for its delivery.
 */

export interface Moment {
  at: number;
  minutes: number;
  /** When the event starts. */
  start: number;
  /** The occurrence of a series; undefined for the event itself. */
  key: OccurrenceKey | undefined;
}

type Start = Pick<Moment, 'start' | 'key'>;

const startOf = (series: CalendarEvent, key: OccurrenceKey): Start => ({
  key,
  start: Date.parse(daysOf(series).timesOf(key).starts_at),
});

/** Occurrences by the rule, and those that were set apart, whatever the rule says now. */
function* startsOfSeries(series: CalendarEvent, moment: number): Generator<Start> {
  const days = daysOf(series);
  const apart = [...(series.apart ?? [])].map((key) => ({ key, day: days.dayOf(key) }));
  const { from, to } = days.span;
  const first = apart.map(({ day }) => day).reduce(earlier, from);
  const last = apart.map(({ day }) => day).reduce(later, to);
  // Clocks of two time zones are less than two days apart.
  const start = later(first, dayAt(moment, days.zone).subtract({ days: 2 }));
  for (const step of stepsOf({ from: start, to: last }, 'asc')) {
    const inStep = apart.filter(({ day }) => isWithin(day, step)).map(({ key }) => key);
    const keys = [...new Set([...days.keysBetween(step.from, step.to), ...inStep])];
    const starts = keys.map((key) => startOf(series, key));
    yield* starts.filter(({ start }) => start > moment).sort((a, b) => a.start - b.start);
  }
}

const isWithin = (day: Day, { from, to }: { from: Day; to: Day }) =>
  later(day, from) === day && earlier(day, to) === day;

/** A series that ended to be one is an event, and the occurrences that were set apart. */
function startsOfSingle(event: CalendarEvent, moment: number): Start[] {
  const apart = [...(event.apart ?? [])].map((key) => startOf(event, key));
  const starts = [{ key: undefined, start: Date.parse(event.starts_at) }, ...apart];
  return starts.filter(({ start }) => start > moment).sort((a, b) => a.start - b.start);
}

/** The starts after a moment, the earliest first. */
const startsAfter = (event: CalendarEvent, moment: number): Iterable<Start> =>
  isSeries(event) ? startsOfSeries(event, moment) : startsOfSingle(event, moment);

const minutesOf = ({ reminders = {} }: CalendarEvent) => [...new Set(Object.values(reminders).flat())];

/** Those after `after`, up to and including `until`, the earliest first. */
export function momentsBetween(event: CalendarEvent, after: number, until: number): Moment[] {
  const all = minutesOf(event);
  if (all.length === 0) return [];
  const longest = Math.max(...all) * MINUTE;
  const found: Moment[] = [];
  for (const { start, key } of startsAfter(event, after)) {
    if (start - longest > until) break;
    const moments = all.map((minutes) => ({ at: start - minutes * MINUTE, minutes, start, key }));
    found.push(...moments.filter(({ at }) => at > after && at <= until));
  }
  return found.sort((a, b) => a.at - b.at);
}

/** The first one after a moment. */
export function nextMomentOf(event: CalendarEvent, after: number): number | undefined {
  const all = minutesOf(event).map((minutes) => minutes * MINUTE);
  if (all.length === 0) return undefined;
  const longest = Math.max(...all);
  let next = Number.POSITIVE_INFINITY;
  for (const { start } of startsAfter(event, after)) {
    next = Math.min(next, ...all.map((before) => start - before).filter((at) => at > after));
    // Later events have later reminders.
    if (start - longest > after) break;
  }
  return Number.isFinite(next) ? next : undefined;
}
