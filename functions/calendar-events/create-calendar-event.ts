import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { createEvent } from '#shared/domain/calendar/calendar-events/create.ts';
import { eventDraft, eventSchema } from '#shared/domain/calendar/calendar-events/event.ts';
import { presentEvent } from '#shared/domain/calendar/calendar-events/present.ts';

export const createCalendarEvent = route('createCalendarEvent', {
  method: 'POST',
  path: '/calendar_events',
  access: 'write',
  summary: 'Create a calendar event',
  description:
    'In a calendar in which the key’s user may write. Days without a time are sent as `starts_on` and `ends_on`, the day after the last. With `recurrence` it is a series, which lists show by its occurrences. The organizer is listed among the attendees.',
  body: { calendar_event: eventDraft },
  examples: {
    body: {
      calendar_event: {
        calendar_id: '0198c0de-0000-7000-8000-000000000001',
        name: 'Ferry timetable',
        starts_at: '2099-02-02T09:00:00Z',
        ends_at: '2099-02-02T10:00:00Z',
        time_zone: 'Europe/London',
        recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO'],
        attendees: [{ email_address: 'grace@acme.example' }],
      },
    },
  },
  returns: { 201: { calendar_event: eventSchema } },
  errors: ['record_not_found', 'permission_denied', 'calendar_read_only', 'mailbox_locked'],
  uses: ['table:write', 'queue:index-records', 'queue:sync-calendars'],
  versioned: true,
});

export const handler = handle(
  createCalendarEvent,
  async ({ ctx, body }) => ({
    calendar_event: {
      ...(await presentEvent(ctx, await createEvent(ctx, body.calendar_event))),
      comments: [],
      tasks: [],
    },
  }),
  { ...recordLists, ...visibility, ...replies },
);
