import { seesDetails } from '#shared/domain/calendar/calendar-events/access.ts';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { EventList, type Place } from '#shared/domain/calendar/calendar-events/find.ts';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { refOf, type Shown } from '../entry.ts';
import { candidateOf, type Range, type Source, type TimelineContext } from '../source.ts';

/** Events that have begun, occurrences of series too, at their beginnings. */

const NEVER = Number.POSITIVE_INFINITY;

/** After every rank. */
const EDGE = '~';

const shownEvent = ({ id, name, user_id, starts_at, ends_at }: CalendarEvent): Shown => ({
  ...{ id, type: 'calendar_event', user_id, agent: null, count: 1 },
  ref: refOf({ type: 'calendar_events', id, label: { name } }),
  detail: { starts_at, ends_at },
});

export function eventsOf(
  ctx: TimelineContext,
  criteria: Criterion<CalendarEvent>[],
  { upto, wanted }: Range,
): Source<CalendarEvent> {
  const before = Math.min(upto, ctx.now.getTime()) + 1;
  const begun = { ends_after: -NEVER, ends_by: NEVER, starts_before: before, horizon: before };
  // Who sees only when a private event is learns nothing of whom it is with.
  const guard = { keeps: (event: CalendarEvent) => seesDetails(ctx.caller.user, event) };
  const list = new EventList(ctx, { segments: [begun], first: 0, onwards: 'desc' }, [...criteria, guard]);
  let place: Place | null = { segment: 0, bound: EDGE };
  let rows: CalendarEvent[] = [];
  return {
    async next() {
      while (rows.length === 0 && place) {
        const page: { rows: CalendarEvent[]; next: Place | null } = await list.further(place, wanted);
        rows = [...page.rows];
        place = page.next;
      }
      const event = rows.shift();
      return event && candidateOf(event.id, Date.parse(event.starts_at), event);
    },
    show: async (candidates) => new Map(candidates.map(({ id, item }) => [id, shownEvent(item)])),
  };
}
