import { mapAtOnce } from '#shared/at-once.ts';
import { accessTo } from '#shared/domain/calendar/calendar-events/access.ts';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { type EventFilters, inPlaces } from '#shared/domain/calendar/calendar-events/filters.ts';
import { eventQuery } from '#shared/domain/calendar/calendar-events/find.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import { type WrittenEvent, writtenEvent } from './written-events.ts';

/** The events of a file, page by page: first all series, then single events. */

export type Places = Pick<EventFilters, 'calendar_id' | 'mailbox_id'>;

interface EventsPage {
  events: WrittenEvent[];
  /** Null on the last page. */
  next: string | null;
}

const AT_ONCE = 8;

/** Series that the caller does not see, of occurrences that stand for themselves then. */
async function hiddenSeries(
  { table, caller }: CallerContext,
  rows: CalendarEvent[],
): Promise<Map<string, CalendarEvent>> {
  const ids = [...new Set(rows.flatMap(({ recurring_event_id }) => recurring_event_id ?? []))];
  const series = await table.getMany<CalendarEvent>(ids.map((id) => keys.record('calendar_events', id)));
  const hidden = series.filter((each) => isThere(each) && !accessTo(caller.user, each));
  return new Map(hidden.map((each) => [each.id, each]));
}

/** Exceptions are written with their series. */
async function singlesOf(ctx: CallerContext, rows: CalendarEvent[]): Promise<WrittenEvent[]> {
  const hidden = await hiddenSeries(ctx, rows);
  const alone = rows.filter(({ recurring_event_id: id }) => id === null || hidden.has(id));
  return mapAtOnce(alone, AT_ONCE, async (event) =>
    writtenEvent(ctx, event, hidden.get(event.recurring_event_id ?? '')),
  );
}

/** 404 for a calendar or mailbox that the caller has no access to. `after` is `next` of the page before. */
export async function pageOfEvents(
  ctx: CallerContext,
  places: Places,
  { limit, after = 'series ' }: { limit: number; after: string | undefined },
): Promise<EventsPage> {
  const at = after.indexOf(' ');
  const [sort, bound] = [after.slice(0, at) as 'series' | 'starts_at', after.slice(at + 1) || undefined];
  const query = eventQuery(ctx, await inPlaces(ctx, places), { sort, order: 'asc' });
  const { rows, next } = await findRecords(ctx, query, { limit, after: bound });
  if (sort === 'starts_at')
    return { events: await singlesOf(ctx, rows), next: next === null ? null : `starts_at ${next}` };
  const events = await mapAtOnce(rows, AT_ONCE, async (series) => writtenEvent(ctx, series));
  return { events, next: next === null ? 'starts_at ' : `series ${next}` };
}
