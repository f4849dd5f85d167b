import { planEvent } from '#shared/domain/calendar/calendar-events/create.ts';
import { eventDeletion } from '#shared/domain/calendar/calendar-events/delete.ts';
import { type CalendarEvent, eventDraft } from '#shared/domain/calendar/calendar-events/event.ts';
import { planEventChange } from '#shared/domain/calendar/calendar-events/update.ts';
import { type Actions, notUndoable } from './action.ts';
import { eventFields } from './event-fields.ts';
import { creating, type Family } from './record-actions.ts';

const events: Family<CalendarEvent> = {
  type: 'calendar_events',
  fields: eventFields,
  linksOf: () => [],
  change: planEventChange,
  async deletion(ctx, event, further) {
    // Somebody has met, or prepares to.
    if (event.transcript !== null || event.brief) throw notUndoable();
    return eventDeletion(ctx, event, further);
  },
};

/** Its parameters are those of the request that does the same. */
export const eventActions: Actions = {
  'calendar_event.create': creating(events, {
    params: eventDraft,
    params_hint:
      '{calendar_id: from list_calendars, name, starts_at, ends_at, time_zone, location, attendees: [{email_address}], recurrence: ["RRULE:..."], description_html}',
    plan: planEvent,
    // Whole days and series follow the zone, which a user may change.
    settled: (draft, { time_zone }) => ({ ...draft, time_zone }),
  }),
};
