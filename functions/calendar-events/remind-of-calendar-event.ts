import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { eventSchema } from '#shared/domain/calendar/calendar-events/event.ts';
import { presentRetrieved } from '#shared/domain/calendar/calendar-events/present-retrieved.ts';
import { remindOfEvent } from '#shared/domain/calendar/calendar-events/remind.ts';
import { reminding } from '#shared/domain/calendar/calendar-events/written.ts';

export const remindOfCalendarEvent = route('remindOfCalendarEvent', {
  method: 'POST',
  path: '/calendar_events/{calendar_event_id}/reminders',
  access: 'write',
  summary: 'Set one’s reminders of an event',
  description:
    'Replaces the reminders of the key’s user, which nobody else sees; an empty array removes them. Those of an occurrence are the same for its whole series. They arrive as notifications `calendar_event_reminder`.',
  body: reminding,
  examples: { body: { reminders: [10, 1440] } },
  returns: { 200: { calendar_event: eventSchema } },
  errors: ['record_not_found'],
  uses: ['table:write'],
  streams: true,
});

export const handler = handle(
  remindOfCalendarEvent,
  async ({ ctx, params, body }) => {
    const event = await remindOfEvent(ctx, params.calendar_event_id, body.reminders);
    return { calendar_event: await presentRetrieved(ctx, event) };
  },
  { ...visibility, ...replies },
);
