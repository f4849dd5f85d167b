import * as z from 'zod';
import { given, narrower, optional, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { clearableText, color, nameText, timestamp, uuid } from '#shared/values.ts';

/** Each mailbox has one calendar. Only what was changed of it is stored. */

const calendars = resource('Calendar', {
  id: given(uuid),
  user_id: given(uuid),
  mailbox_id: given(uuid),
  name: optional(nameText(255).optional(), z.string().meta({ example: 'Ada Byron' })),
  description: optional(clearableText(20_000).optional(), z.string().nullable()),
  color: optional(color.nullish(), color.nullable()),
  time_zone: given(z.string().meta({ example: 'Europe/London' })),
  primary: given(z.boolean()),
  read_only: given(z.boolean()),
  sync_enabled: narrower(z.boolean(), z.literal(false)),
  auto_meeting_enabled: optional(z.boolean().optional(), z.boolean()),
  last_synced_at: given(timestamp.nullable()),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

export type Calendar = StoredFields<typeof calendars.fields>;

/** docs/specification/calendar.md, "Calendars". */
export const calendarSchema = calendars.response;

export const calendarChanges = calendars.changes.meta({ id: 'CalendarChanges' });

export type CalendarChanges = z.output<typeof calendars.writableChanges>;

/** The changed fields. */
export type StoredCalendar = Item &
  Partial<
    Pick<Calendar, 'name' | 'description' | 'color' | 'auto_meeting_enabled' | 'read_only' | 'updated_at'>
  >;

export const presentCalendar = (calendar: Calendar) => calendars.present(calendar, {});
