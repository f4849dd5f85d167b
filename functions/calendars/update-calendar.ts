import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import {
  calendarChanges,
  calendarSchema,
  presentCalendar,
} from '#shared/domain/calendar/calendars/calendar.ts';
import { updateCalendar as update } from '#shared/domain/calendar/calendars/update.ts';

export const updateCalendar = route('updateCalendar', {
  method: 'PATCH',
  path: '/calendars/{id}',
  access: 'write',
  summary: 'Update a calendar',
  description:
    'By the owner of its mailbox, or the user who follows it, alone. Fields that are not sent stay, and `null` clears.',
  body: { calendar: calendarChanges },
  examples: { body: { calendar: { name: 'Ferries', color: '#2F6FED' } } },
  returns: { 200: { calendar: calendarSchema } },
  errors: ['permission_denied', 'operation_failed'],
  uses: ['table:write'],
});

export const handler = handle(updateCalendar, async ({ ctx, params, body }) => ({
  calendar: presentCalendar(await update(ctx, params.id, body.calendar)),
}));
