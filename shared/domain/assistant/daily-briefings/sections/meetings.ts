import { localTime } from '#shared/domain/assistant/daily-briefings/day.ts';
import { seesDetails } from '#shared/domain/calendar/calendar-events/access.ts';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { EventList } from '#shared/domain/calendar/calendar-events/find.ts';
import { isAttendedBy } from '#shared/domain/calendar/calendar-events/own.ts';
import { windowOf } from '#shared/domain/calendar/calendar-events/window.ts';
import type { SectionKind } from './section.ts';

/** Days for events of whole days: the first and the last one, and times for others. */
function timesOf({ starts_on, ends_on, starts_at, ends_at }: CalendarEvent, time_zone: string) {
  if (starts_on === null || ends_on === null)
    return { starts: localTime(time_zone, starts_at), ends: localTime(time_zone, ends_at) };
  // `ends_on` is the day after it.
  const last = new Date(Date.parse(ends_on) - 1).toISOString().slice(0, 10);
  return { starts: starts_on, ends: last };
}

/** What takes place today for the user, by when it starts; nothing of which the user sees only when it is. */
export const meetings: SectionKind<CalendarEvent> = {
  title: 'Meetings today',
  type: 'calendar_event',
  label: 'Meeting',
  columns: [
    { key: 'starts', label: 'Starts', kind: 'date' },
    { key: 'ends', label: 'Ends', kind: 'date' },
  ],
  async find(ctx, limit) {
    const { user } = ctx.caller;
    const window = windowOf({ slice: 'today' }, ctx, ctx.now.getTime());
    const keeps = (event: CalendarEvent) => seesDetails(user, event) && isAttendedBy(user, event);
    const list = new EventList(ctx, window, [{ keeps }]);
    return {
      records: await list.first(limit),
      rowsOf: async (shown) =>
        shown.map((event) => ({ id: event.id, name: event.name, cells: timesOf(event, user.time_zone) })),
    };
  },
};
