import type { CalendarEvent } from './event.ts';
import { daysOf, isSeries } from './load.ts';
import type { OccurrenceKey } from './occurrence-id.ts';

/** Series that end to be one (docs/specification/calendar.md, "Series"). */

export const firstDay = (event: CalendarEvent) => daysOf(event).first.toPlainDate();

/** The key of the occurrence in whose place the event is when it repeats no longer. */
export const firstKey = (event: CalendarEvent): OccurrenceKey => daysOf(event).keyOf(firstDay(event));

/** A line that names the first day. */
export const firstDayIn = (name: 'RDATE' | 'EXDATE', event: CalendarEvent): string =>
  `${name};VALUE=DATE:${firstDay(event).toString().replaceAll('-', '')}`;

/** The lines of a series that has its first day alone. */
export const firstDayAlone = (event: CalendarEvent): string[] => [firstDayIn('RDATE', event)];

/**
 * The series after a change that may end it. One whose first occurrence has something of its own keeps this day: else
 * the occurrence and the event would both be there, with what belongs to either. `occurrences` are those that are stored.
 */
export async function endedSeries(
  after: CalendarEvent,
  occurrences: AsyncIterable<CalendarEvent[]> | Iterable<CalendarEvent[]>,
): Promise<CalendarEvent> {
  if (isSeries(after) || !after.apart?.has(firstKey(after))) return after;
  for await (const stored of occurrences)
    if (stored.some(({ original_key }) => original_key === firstKey(after)))
      return { ...after, recurrence: firstDayAlone(after) };
  return after;
}
