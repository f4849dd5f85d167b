import { mapAtOnce } from '#shared/at-once.ts';
import { accessTo } from '#shared/domain/calendar/calendar-events/access.ts';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { type EventFilters, inPlaces } from '#shared/domain/calendar/calendar-events/filters.ts';
import { eventQuery } from '#shared/domain/calendar/calendar-events/find.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import { differs, type WrittenEvent, writtenAlone, writtenEvent } from './written-events.ts';

/**
 * The events of a file, page by page: first single events and exceptions, then all series. A page is no larger for a series with
 * many exceptions. One that is deleted after its page is left out by its series; the other way round its series would have it
 * at the time that it had before.
 */

export type Places = Pick<EventFilters, 'calendar_id' | 'mailbox_id'>;

interface EventsPage {
  events: WrittenEvent[];
  /** Null on the last page. */
  next: string | null;
}

const AT_ONCE = 8;

async function seriesOf(
  { table }: CallerContext,
  rows: CalendarEvent[],
): Promise<Map<string, CalendarEvent>> {
  const ids = [...new Set(rows.flatMap(({ recurring_event_id }) => recurring_event_id ?? []))];
  const series = await table.getMany<CalendarEvent>(ids.map((id) => keys.record('calendar_events', id)));
  return new Map(series.filter(isThere).map((each) => [each.id, each]));
}

/** Exceptions, and occurrences of series that the caller does not see, which stand for themselves then. */
async function singlesOf(ctx: CallerContext, rows: CalendarEvent[]): Promise<WrittenEvent[]> {
  const all = await seriesOf(ctx, rows);
  const written = rows.flatMap((event) => {
    const series = all.get(event.recurring_event_id ?? '');
    const isLike = series && accessTo(ctx.caller.user, series) && !differs(event, series);
    return isLike ? [] : { event, series };
  });
  return mapAtOnce(written, AT_ONCE, async ({ event, series }) => writtenEvent(ctx, event, { series }));
}

/** 404 for a calendar or mailbox that the caller has no access to. `after` is `next` of the page before. */
export async function pageOfEvents(
  ctx: CallerContext,
  places: Places,
  { limit, after = 'starts_at ' }: { limit: number; after: string | undefined },
): Promise<EventsPage> {
  const at = after.indexOf(' ');
  const [sort, bound] = [after.slice(0, at) as 'series' | 'starts_at', after.slice(at + 1) || undefined];
  const query = eventQuery(ctx, await inPlaces(ctx, places), { sort, order: 'asc' });
  const { rows, next } = await findRecords(ctx, query, { limit, after: bound });
  if (sort === 'starts_at')
    return { events: await singlesOf(ctx, rows), next: next === null ? 'series ' : `starts_at ${next}` };
  const events = await mapAtOnce(rows, AT_ONCE, (series) => writtenAlone(ctx, series));
  return { events, next: next === null ? null : `series ${next}` };
}
