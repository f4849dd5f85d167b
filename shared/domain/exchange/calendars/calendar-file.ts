import { create as contentDisposition } from 'content-disposition';
import { seesDetails } from '#shared/domain/calendar/calendar-events/access.ts';
import { requireEvent } from '#shared/domain/calendar/calendar-events/policy.ts';
import { requireCalendar } from '#shared/domain/calendar/calendars/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError } from '#shared/errors.ts';
import { pageOfEvents } from './pages.ts';
import { component, type Property, text } from './properties.ts';
import { vtimezoneOf } from './vtimezone-writer.ts';
import { type WrittenEvent, writtenEvent } from './written-events.ts';

/** Files of iCalendar (RFC 5545): of an event, of a calendar. */

/** Before the first event; `name` is that of the calendar. */
export function calendarHead(name: string | null = null): string {
  const properties: Property[] = [
    ...text('version', '2.0'),
    ...text('prodid', '-//Workspace API//EN'),
    ...text('calscale', 'GREGORIAN'),
    ...(name === null ? [] : [['x-wr-calname', {}, 'text', name] as Property]),
  ];
  return component('vcalendar', properties).replace('END:VCALENDAR\r\n', '');
}

export const CALENDAR_END = 'END:VCALENDAR\r\n';

/** The events, after time zones that `known` does not have yet. */
export function withZones(events: WrittenEvent[], known: Set<string>, now: Date): string {
  const added = [...new Set(events.flatMap(({ zones }) => zones))].filter((zone) => !known.has(zone));
  for (const zone of added) known.add(zone);
  return [...added.map((zone) => vtimezoneOf(zone, now)), ...events.map((event) => event.text)].join('');
}

/** Characters: what a response carries. An export has no limit. */
const MAX_FILE = 6_000_000;

/** A response with the name of its file (RFC 6266). */
const fileNamed = (name: string, file: string) => ({
  content_type: 'text/calendar; charset=utf-8',
  text: file,
  headers: { 'Content-Disposition': contentDisposition(`${name.replace(/[/\\]/g, '-')}.ics`) },
});

/** A single event, a series with its exceptions, or one occurrence. 404 for a hidden one, 422 `calendar_too_large`. */
export async function fileOfEvent(ctx: CallerContext, id: string) {
  const { event, series } = await requireEvent(ctx, id);
  const written = await writtenEvent(ctx, event, { series, most: MAX_FILE });
  const file = calendarHead() + withZones([written], new Set(), ctx.now) + CALENDAR_END;
  if (file.length > MAX_FILE) throw new ApiError('calendar_too_large');
  return fileNamed(seesDetails(ctx.caller.user, event) ? event.name : 'event', file);
}

const PAGE = 250;

/** All events of a calendar, as the caller sees them. 404 for a hidden one, 422 `calendar_too_large`. */
export async function fileOfCalendar(ctx: CallerContext, calendar_id: string) {
  const { calendar } = await requireCalendar(ctx, calendar_id);
  const zones = new Set<string>();
  let file = calendarHead(calendar.name);
  let after: string | undefined;
  do {
    const page = await pageOfEvents(ctx, { calendar_id }, { limit: PAGE, after });
    file += withZones(page.events, zones, ctx.now);
    if (file.length > MAX_FILE) throw new ApiError('calendar_too_large');
    after = page.next ?? undefined;
  } while (after !== undefined);
  return fileNamed(calendar.name, file + CALENDAR_END);
}
