import {
  type CalendarEvent,
  type EventDraft,
  eventDraft,
} from '#shared/domain/calendar/calendar-events/event.ts';
import type { Meeting } from '#shared/domain/calendar/calendar-events/imported/meeting.ts';
import { planImportedEvent } from '#shared/domain/calendar/calendar-events/imported/plan.ts';
import { type CalendarHead, type EventEntry, noHead } from '#shared/domain/exchange/formats/ics-reader.ts';
import { eventRow } from './event-row.ts';
import type { FindingFamily } from './family.ts';
import type { SentRow } from './row.ts';
import { readVEvent, type VEvent } from './vevent.ts';

/** Calendar events of files: found by their UIDs. */

interface EventSent extends SentRow {
  event: VEvent;
  head: CalendarHead;
  meeting?: Meeting;
}

/** An event of a file as a row: what it means follows from the time zone of the user. */
export function readEvent({ event: text, head = noHead }: Extract<EventEntry, { event: string }>): EventSent {
  const event = readVEvent(text);
  // A series comes before its exceptions.
  return { draft: {}, tags: [], event, head, later: event.has('recurrence-id') };
}

export const eventFamily: FindingFamily<CalendarEvent, EventDraft, EventSent> = {
  type: 'calendar_events',
  draft: eventDraft as never,
  async resolve({ caller }, { event, head, ...row }, { calendar_id }) {
    const { draft, meeting } = eventRow(event, head, caller.user.time_zone);
    return { ...row, event, head, meeting, draft: { ...draft, calendar_id } };
  },
  turnsOf: (_, { meeting }) => [`ical_uid:${meeting?.ical_uid}`],
  async plan(ctx, draft, { meeting }, row) {
    const plan = await planImportedEvent(ctx, { draft, meeting: meeting as Meeting, row });
    const { before, after } = plan ?? {};
    // A run that was interrupted after this row created it.
    const created = before?.file?.row === row && before.updated_at === null;
    return plan && after && { plan, id: after.id, created: created || before === undefined };
  },
};
