import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { whole, wholeCollection } from '#shared/api/shapes.ts';
import { calendarSchema, presentCalendar } from '#shared/domain/calendar/calendars/calendar.ts';
import { listCalendars as findCalendars } from '#shared/domain/calendar/calendars/store.ts';
import { uuid } from '#shared/values.ts';

export const listCalendars = route('listCalendars', {
  method: 'GET',
  path: '/calendars',
  access: 'read',
  summary: 'List calendars',
  description:
    'The calendars of the mailboxes that the key’s user owns or has access to, returned whole, oldest first. Every mailbox has one of its own; those at its server follow. Last come those that the user follows by the addresses of files.',
  query: { mailbox_id: uuid.optional().meta({ description: 'The calendars of this mailbox' }) },
  returns: { 200: { collection: wholeCollection(calendarSchema) } },
  errors: ['record_not_found'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listCalendars, async ({ ctx, query }) => {
  const calendars = await findCalendars(ctx, query.mailbox_id);
  return { collection: whole(calendars.map(presentCalendar)) };
});
