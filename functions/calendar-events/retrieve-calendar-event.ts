import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { eventSchema } from '#shared/domain/calendar/calendar-events/event.ts';
import { requireEvent } from '#shared/domain/calendar/calendar-events/policy.ts';
import { presentRetrieved } from '#shared/domain/calendar/calendar-events/present-retrieved.ts';

export const retrieveCalendarEvent = route('retrieveCalendarEvent', {
  method: 'GET',
  path: '/calendar_events/{id}',
  access: 'read',
  summary: 'Retrieve a calendar event',
  description: 'A single event, a series, or an occurrence of one.',
  returns: { 200: { calendar_event: eventSchema } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  retrieveCalendarEvent,
  async ({ ctx, params }) => {
    const { event } = await requireEvent(ctx, params.id);
    return { calendar_event: await presentRetrieved(ctx, event) };
  },
  { ...visibility, ...replies },
);
