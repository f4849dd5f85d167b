import { waitingWrites } from '#shared/domain/collaboration/reminders/waiting.ts';
import type { CalendarEvent } from './event.ts';
import { hasOwnTimes } from './exceptions.ts';
import { withSeries } from './load.ts';
import { nextMomentOf } from './moments.ts';

/** How events wait for their next reminders. */

/** Of a single event, or of a series. */
export function eventWaits(before: CalendarEvent | undefined, after: CalendarEvent, now: Date) {
  const next = (event: CalendarEvent) => nextMomentOf(event, now.getTime());
  const moments = { before: before && next(before), after: next(after) };
  return waitingWrites({ type: 'calendar_events', id: after.id }, moments, now);
}

/** Of an occurrence as it is stored: only one with times of its own waits for itself. */
export function occurrenceWaits(
  before: CalendarEvent | undefined,
  after: CalendarEvent,
  series: CalendarEvent,
  now: Date,
) {
  if (!hasOwnTimes(after)) return [];
  const earlier = before && hasOwnTimes(before) ? withSeries(before, series) : undefined;
  return eventWaits(earlier, withSeries(after, series), now);
}
