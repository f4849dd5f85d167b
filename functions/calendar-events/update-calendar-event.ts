import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { eventChanges, eventSchema, scopes } from '#shared/domain/calendar/calendar-events/event.ts';
import { presentRetrieved } from '#shared/domain/calendar/calendar-events/present-retrieved.ts';
import { updateEvent } from '#shared/domain/calendar/calendar-events/update.ts';

export const updateCalendarEvent = route('updateCalendarEvent', {
  method: 'PATCH',
  path: '/calendar_events/{id}',
  access: 'write',
  summary: 'Update a calendar event',
  description:
    'Fields that are not sent stay, `null` clears, and an array replaces the whole array. `scope` says how much of a series changes when an occurrence is named: `this` one, it and all `following`, or `all`; occurrences that were changed by themselves keep their own values. A series named by its own id changes as a whole.',
  body: { calendar_event: eventChanges, scope: z.enum(scopes).default('this') },
  examples: { body: { calendar_event: { name: 'Ferries', location: 'Pier 3' }, scope: 'following' } },
  returns: { 200: { calendar_event: eventSchema } },
  errors: ['permission_denied', 'calendar_read_only', 'mailbox_locked'],
  uses: ['table:write', 'queue:index-records', 'queue:sync-calendars'],
  versioned: true,
  streams: true,
});

export const handler = handle(
  updateCalendarEvent,
  async ({ ctx, params, body }) => {
    const { calendar_event: changes, scope } = body;
    const event = await updateEvent(ctx, params.id, { changes, scope });
    return { calendar_event: await presentRetrieved(ctx, event) };
  },
  { ...recordLists, ...visibility, ...replies },
);
