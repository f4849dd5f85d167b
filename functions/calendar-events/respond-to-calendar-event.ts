import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { eventSchema } from '#shared/domain/calendar/calendar-events/event.ts';
import { presentRetrieved } from '#shared/domain/calendar/calendar-events/present-retrieved.ts';
import { respondToEvent } from '#shared/domain/calendar/calendar-events/respond.ts';
import { response } from '#shared/domain/calendar/calendar-events/written.ts';

export const respondToCalendarEvent = route('respondToCalendarEvent', {
  method: 'POST',
  path: '/calendar_events/{calendar_event_id}/response',
  access: 'write',
  summary: 'Answer an invitation',
  description:
    'As the key’s user, who must be invited. The answer to an occurrence is for it alone; the answer to a series is for all occurrences without one of their own.',
  body: response,
  examples: { body: { response: 'tentative', comment: 'I shall be late.' } },
  returns: { 200: { calendar_event: eventSchema } },
  errors: ['record_not_found', 'permission_denied'],
  uses: ['table:write', 'queue:index-records', 'queue:sync-calendars'],
  streams: true,
});

export const handler = handle(
  respondToCalendarEvent,
  async ({ ctx, params, body }) => {
    const { response: status, comment = null } = body;
    const event = await respondToEvent(ctx, params.calendar_event_id, { status, comment });
    return { calendar_event: await presentRetrieved(ctx, event) };
  },
  { ...recordLists, ...visibility, ...replies },
);
