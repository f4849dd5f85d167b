import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { fileOfCalendar } from '#shared/domain/exchange/calendars/calendar-file.ts';

export const retrieveCalendarIcs = route('retrieveCalendarIcs', {
  method: 'GET',
  path: '/calendars/{calendar_id}/ics',
  access: 'read',
  summary: 'Retrieve a calendar as a file',
  description:
    'All its events as iCalendar (RFC 5545), as the key’s user sees them: series with their exceptions, of private events only when they are. A calendar of more than 6 MB is written by `POST /exports`.',
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

export const handler = handle(retrieveCalendarIcs, ({ ctx, params }) =>
  fileOfCalendar(ctx, params.calendar_id),
);
