import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { fileOfEvent } from '#shared/domain/exchange/calendars/calendar-file.ts';

export const retrieveCalendarEventIcs = route('retrieveCalendarEventIcs', {
  method: 'GET',
  path: '/calendar_events/{calendar_event_id}/ics',
  access: 'read',
  summary: 'Retrieve a calendar event as a file',
  description:
    'iCalendar (RFC 5545). A series has its exceptions with it. Of a private event others see only when it is.',
  returns: {
    200: {
      content_type: 'text/calendar; charset=utf-8',
      description: 'The file, with its name in `Content-Disposition`',
      headers: { 'Cache-Control': 'private, no-store' },
    },
  },
  errors: ['record_not_found', 'calendar_too_large'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(retrieveCalendarEventIcs, ({ ctx, params }) =>
  fileOfEvent(ctx, params.calendar_event_id),
);
