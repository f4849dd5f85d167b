import { begun } from '#shared/begun.ts';
import type { EventRecord } from '#shared/domain/calendar/calendar-events/event.ts';
import type { EventFilters } from '#shared/domain/calendar/calendar-events/filters.ts';
import { findEvents } from '#shared/domain/calendar/calendar-events/pages.ts';
import { presentEvents } from '#shared/domain/calendar/calendar-events/present.ts';
import { mayEditIn } from '#shared/domain/calendar/calendars/policy.ts';
import { listCalendars } from '#shared/domain/calendar/calendars/store.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CalendarView, EventRow } from '../other-views.ts';
import { give, type ToolContext } from './context.ts';

const FOUND = 20;
const PEOPLE = 10;

function eventRow({ id, name, starts_at, ends_at, all_day, location, attendees }: EventRecord): EventRow {
  return {
    id,
    name: name ?? 'busy',
    ...{ starts_at, ends_at, all_day, location: location ?? null },
    people: (attendees ?? [])
      .slice(0, PEOPLE)
      .map(({ contact, display_name, email_address }) => contact?.name ?? display_name ?? email_address),
  };
}

/** Events that the user sees, by when they start. */
export async function searchEvents(
  ctx: ToolContext,
  filters: EventFilters,
): Promise<{ events: EventRow[]; more: boolean }> {
  const tags = begun(tagDictionary(ctx.table, ctx.caller.account.id));
  const { rows, next } = await findEvents(ctx, filters, { tags, position: undefined, limit: FOUND });
  const events = await presentEvents(ctx, rows, tags);
  give(
    ctx,
    'calendar_event',
    events.map(({ id }) => id),
  );
  for (const { attendees } of events)
    give(
      ctx,
      'contact',
      (attendees ?? []).flatMap(({ contact }) => contact?.id ?? []),
    );
  return { events: events.map(eventRow), more: next !== null };
}

/** The calendars that the user sees. */
export async function calendarViews(ctx: ToolContext): Promise<{ calendars: CalendarView[] }> {
  const calendars = await listCalendars(ctx);
  return {
    calendars: calendars.map(({ id, name, user_id, mailbox_id, time_zone, read_only }) => ({
      ...{ id, name, time_zone },
      own: user_id === ctx.caller.user.id,
      may_create: !read_only && mayEditIn(ctx.caller, mailbox_id),
    })),
  };
}
