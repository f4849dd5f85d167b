import { createHash } from 'node:crypto';
import type { CalendarEvent, FileStamp, OwnField } from '../event.ts';
import { fieldsOf } from '../inherited.ts';
import type { Meeting } from './meeting.ts';

/** What a later file changes of an event that came from an earlier one: all but what was changed here. */

type Field = keyof CalendarEvent;

/** What changes together. */
/** The parts of an event are those that an occurrence may have of its own. */
export type Part = OwnField;

const parts: Record<Part, Field[]> = {
  ...fieldsOf,
  times: [...fieldsOf.times, 'recurrence', 'last_on', 'shift_days'],
  attendees: [...fieldsOf.attendees, 'organizer_email_address'],
};

/** Names of users change without a change of the event, and maps come back from the table in any order. */
function plain(name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (name === 'user') return (value as { id: string }).id;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function hashOf(event: CalendarEvent, fields: Field[]): string {
  const text = JSON.stringify(
    fields.map((field) => event[field] ?? null),
    plain,
  );
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

/** With a note of what the file said. */
export function noted(
  event: CalendarEvent,
  { meeting, row }: { meeting: Pick<Meeting, 'sequence' | 'modified_at'>; row: string },
) {
  const hashes = Object.entries(parts).map(([name, fields]) => [name, hashOf(event, fields)]);
  const file: FileStamp = {
    row: event.file?.row ?? row,
    sequence: meeting.sequence,
    modified_at: meeting.modified_at,
    parts: Object.fromEntries(hashes),
    same_as: event.file?.same_as ?? null,
    names: event.file?.names ?? null,
    organizes: event.file?.organizes ?? false,
  };
  return { ...event, file };
}

/** RFC 5546, 2.1.5: by the sequence, then by the time. */
export function isNewer({ sequence, modified_at }: Meeting, known: FileStamp): boolean {
  if (sequence !== known.sequence) return sequence > known.sequence;
  return (modified_at ?? '') > (known.modified_at ?? '');
}

/** An occurrence follows its series in all but its own. */
function changedHere({ file, own }: CalendarEvent, event: CalendarEvent, name: Part): boolean {
  if (own && !own.includes(name)) return false;
  return file?.parts[name] !== hashOf(event, parts[name]);
}

/** What was changed here since the file, or the server, said it. `event` is as read. */
export const changedParts = (stored: CalendarEvent, event: CalendarEvent): Set<Part> =>
  new Set((Object.keys(parts) as Part[]).filter((name) => changedHere(stored, event, name)));

/** As the file wants it, without what was changed here. `stored` has the note of the file before, `event` is as read. */
export function taken(stored: CalendarEvent, event: CalendarEvent, wanted: CalendarEvent): CalendarEvent {
  const kept = [...changedParts(stored, event)];
  const values = kept.flatMap((name) => parts[name].map((field) => [field, event[field]]));
  return { ...wanted, ...Object.fromEntries(values) };
}

/** Users of the account answer here; of all others who are invited the file knows. */
export function answersIn(
  before: CalendarEvent,
  { attendees }: Pick<CalendarEvent, 'attendees'>,
  meeting: Meeting,
): CalendarEvent['responses'] {
  const users = new Set(before.attendees.flatMap(({ user, email_address }) => (user ? email_address : [])));
  const invited = new Set(attendees.map(({ email_address }) => email_address));
  const known = Object.entries(before.responses);
  const here = known.filter(([address]) => users.has(address));
  const there = known.filter(([address]) => invited.has(address));
  return { ...Object.fromEntries(there), ...meeting.responses, ...Object.fromEntries(here) };
}
