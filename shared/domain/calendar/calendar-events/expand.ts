import { Temporal } from 'temporal-polyfill';
import { momentIn, VALUED } from '#shared/domain/collaboration/record-lists/ranks.ts';
import { isAhead, type Order } from '#shared/domain/platform/postings/reader.ts';
import type { CalendarEvent } from './event.ts';
import { daysOf, plainOccurrence } from './load.ts';
import { type Day, earlier, later } from './occurrences.ts';
import { rankOfEvent } from './rank.ts';
import { isWithin, type Segment } from './window.ts';

/** The occurrences of a series that follow from it alone, as far as a page needs them. */

/** Days that are worked out first; then twice as many, up to some years. */
const FIRST_STEP = 40;
const LARGEST_STEP = 1_400;

export interface Reading {
  segment: Segment;
  order: Order;
  /** A bound between ranks (postings/reader.ts). */
  after: string | undefined;
  limit: number;
}

export const dayAt = (moment: number, zone: string): Day =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toPlainDate();

/** The moment of a bound that is a rank; undefined for the ends of an order. */
const momentOf = (bound: string | undefined) => (bound?.startsWith(VALUED) ? momentIn(bound) : undefined);

/** The days on which occurrences of the segment behind the bound may begin. */
function daysFor(series: CalendarEvent, { segment, order, after }: Reading): { from: Day; to: Day } {
  const days = daysOf(series);
  const length = Date.parse(series.ends_at) - Date.parse(series.starts_at);
  const bound = momentOf(after);
  let { from, to } = days.span;
  const narrow = (moment: number, side: 'from' | 'to') => {
    if (!Number.isFinite(moment)) return;
    const day = dayAt(moment, days.zone);
    if (side === 'from') from = later(from, day.subtract({ days: 1 }));
    else to = earlier(to, day.add({ days: 1 }));
  };
  // All-day events of two days may have 47 or 49 hours.
  narrow(segment.ends_after - length - 7_200_000, 'from');
  narrow(Math.min(segment.horizon, segment.starts_before, segment.ends_by), 'to');
  if (bound !== undefined) narrow(bound, order === 'asc' ? 'from' : 'to');
  return { from, to };
}

/** Parts of the days in the order, each larger than the one before. */
export function* stepsOf(
  { from, to }: { from: Day; to: Day },
  order: Order,
): Generator<{ from: Day; to: Day }> {
  let [first, last] = [from, to];
  for (
    let days = FIRST_STEP;
    Temporal.PlainDate.compare(first, last) <= 0;
    days = Math.min(2 * days, LARGEST_STEP)
  ) {
    if (order === 'asc') {
      const end = earlier(first.add({ days }), last);
      yield { from: first, to: end };
      first = end.add({ days: 1 });
    } else {
      const start = later(last.subtract({ days }), first);
      yield { from: start, to: last };
      last = start.subtract({ days: 1 });
    }
  }
}

/** Up to one more than the limit, in the order. */
export function occurrencesIn(series: CalendarEvent, reading: Reading): CalendarEvent[] {
  const { segment, order, after, limit } = reading;
  const within = isWithin(segment);
  const days = daysOf(series);
  const found: CalendarEvent[] = [];
  for (const { from, to } of stepsOf(daysFor(series, reading), order)) {
    const keys = days.keysBetween(from, to).filter((key) => !series.apart?.has(key));
    const occurrences = keys
      .filter((key) => within({ ...days.timesOf(key), recurring_event_id: series.id }))
      .map((key) => plainOccurrence(series, key))
      .filter((each) => isBehind(rankOfEvent(each), after, order));
    occurrences.sort((a, b) => (isAhead[order](rankOfEvent(a), rankOfEvent(b)) ? -1 : 1));
    found.push(...occurrences);
    if (found.length > limit) break;
  }
  return found.slice(0, limit + 1);
}

/** Ascending bounds belong to what is behind them, descending ones do not. */
function isBehind(rank: string, bound: string | undefined, order: Order): boolean {
  if (bound === undefined) return true;
  return order === 'asc' ? rank >= bound : rank < bound;
}
