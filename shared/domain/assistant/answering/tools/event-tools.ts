import * as z from 'zod';
import { dateTime, emailAddress, requiredText, uuid } from '#shared/values.ts';
import { readEvent } from './read-event.ts';
import type { RecordTools } from './record-tools.ts';
import { calendarViews, searchEvents } from './search-events.ts';
import { tool } from './tool.ts';

const eventSearch = {
  query: requiredText(500).optional().meta({ description: 'Beginnings of words of the name' }),
  slice: z
    .enum(['today', 'week', 'upcoming', 'past'])
    .optional()
    .meta({ description: 'past: newest first. What is not over when omitted' }),
  starts_after: dateTime.optional(),
  starts_before: dateTime.optional(),
  participant: emailAddress.optional(),
  contact_id: uuid.optional(),
  organization_id: uuid.optional(),
  space_id: uuid.optional(),
};

export const eventTools: RecordTools = {
  reading: 'a calendar event with the people who are invited',
  read: readEvent,
  own: (context) => ({
    search_events: tool(
      'search_events',
      'Find calendar events in the order in which they start. All conditions must hold.',
      eventSearch,
      (filters) => searchEvents(context, filters),
    ),
    list_calendars: tool(
      'list_calendars',
      'List the calendars of the user, in which events can be created.',
      {},
      () => calendarViews(context),
    ),
  }),
};
