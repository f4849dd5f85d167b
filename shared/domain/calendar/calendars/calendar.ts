import * as z from 'zod';
import { type Failure, failureSchema } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { given, optional, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { clearableText, color, nameText, timestamp, uuid } from '#shared/values.ts';
import type { ServedCalendar } from '../servers/server.ts';

/**
 * Each mailbox has one calendar of its own, of which only what was changed is stored, and those at its server. Users have
 * those that they read from addresses of files (docs/decisions/0076-calendars-from-addresses.md).
 */

const calendars = resource('Calendar', {
  id: given(uuid),
  user_id: given(uuid),
  mailbox_id: given(uuid.nullable()),
  name: optional(nameText(255).optional(), z.string().meta({ example: 'Ada Byron' })),
  description: optional(clearableText(20_000).optional(), z.string().nullable()),
  color: optional(color.nullish(), color.nullable()),
  time_zone: given(z.string().meta({ example: 'Europe/London' })),
  primary: given(z.boolean()),
  read_only: given(z.boolean()),
  sync_enabled: optional(z.boolean().optional(), z.boolean()),
  auto_meeting_enabled: optional(z.boolean().optional(), z.boolean()),
  last_synced_at: given(timestamp.nullable()),
  last_error: given(failureSchema.nullable()),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

export type Calendar = StoredFields<typeof calendars.fields> & {
  /** The address at its server, or of its file; undefined for a calendar that is kept here. */
  url?: string;
};

/** docs/specification/calendar.md, "Calendars". */
export const calendarSchema = calendars.response;

export const calendarChanges = calendars.changes.meta({ id: 'CalendarChanges' });

export type CalendarChanges = z.output<typeof calendars.writableChanges>;

/** A calendar that a user reads from the address of a file. */
export interface Followed {
  user_id: string;
  /** When it is read again. */
  next_at: string | null;
  last_error: Failure | null;
  /** In a row. */
  failures: number;
  /** Its subscription ended: its events go, and then the calendar. */
  ended?: true;
}

/** What is known of a calendar at a server, or of a file. */
export type StoredService = {
  /** Null for a calendar that a user follows. */
  mailbox_id: string | null;
  follow?: Followed;
  /** As the server describes it. */
  served: ServedCalendar;
  /** The server has it no longer. */
  gone?: boolean;
  found_at: string;
  /** From which its changes count; missing before it was read as a whole, null for a server that has none. */
  sync_token?: string | null;
  synced_at?: string;
  /** Resources of which something cannot be read, and why the last one could not. */
  unread?: number;
  unread_because?: string;
};

type Changed = 'name' | 'description' | 'color' | 'auto_meeting_enabled' | 'sync_enabled' | 'updated_at';

/** The changed fields, and what its server says. */
export type StoredCalendar = Item & Partial<Pick<Calendar, Changed | 'read_only'>> & Partial<StoredService>;

/** One that a server has. */
export type ServerCalendar = StoredCalendar & StoredService;

export const presentCalendar = (calendar: Calendar) => calendars.present(calendar, {});
