import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { deleteEvent } from '#shared/domain/calendar/calendar-events/delete.ts';
import { scopes } from '#shared/domain/calendar/calendar-events/event.ts';

export const deleteCalendarEvent = route('deleteCalendarEvent', {
  method: 'DELETE',
  path: '/calendar_events/{id}',
  access: 'write',
  summary: 'Delete a calendar event',
  description:
    'Its comments, tags, shares and transcript are deleted with it. Of a series, `scope` says how much ends when an occurrence is named; a series named by its own id ends as a whole.',
  query: {
    scope: z
      .enum(scopes)
      .default('this')
      .meta({ description: 'this occurrence, it and all following, or all; this when omitted' }),
  },
  returns: { 204: null },
  errors: ['permission_denied', 'calendar_read_only', 'mailbox_locked'],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records', 'queue:sync-calendars'],
  versioned: true,
});

export const handler = handle(
  deleteCalendarEvent,
  async ({ ctx, params, query }) => {
    await deleteEvent(ctx, params.id, query.scope);
  },
  recordLists,
);
