import { invalidField } from '#shared/errors.ts';
import type { CalendarEvent, EventChanges } from './event.ts';

/**
 * What finds room in the item of an event: it has 400 kB, of which shares, reminders, the keys of exceptions, answers
 * without comments and a brief take the rest.
 */
const MAX_CONTENT = 205_000;
const MAX_COMMENTS = 60_000;

const contents = [
  'description_html',
  'recurrence',
  'attendees',
  'name',
  'location',
  'conference_url',
] as const;

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? null));

const contentOf = (event: CalendarEvent) => contents.reduce((sum, field) => sum + bytesOf(event[field]), 0);

/**
 * 400 on the largest field of those that were sent, for an event that they make too large. One that was too large before
 * there was a limit may become smaller.
 */
export function requireRoomForContent(before: CalendarEvent, after: CalendarEvent, sent: EventChanges): void {
  if (contentOf(after) <= Math.max(MAX_CONTENT, contentOf(before))) return;
  const [largest] = contents
    .filter((field) => sent[field] !== undefined)
    .sort((a, b) => bytesOf(after[b]) - bytesOf(after[a]));
  if (largest) throw invalidField(largest, 'too_long', `makes the event larger than ${MAX_CONTENT} bytes`);
}

/** 400 for a comment that is too long beside those of the others. */
export function requireRoomForComments({ responses }: Pick<CalendarEvent, 'responses'>): void {
  const comments = Object.values(responses).flatMap(({ comment }) => comment ?? []);
  const bytes = comments.reduce((sum, comment) => sum + Buffer.byteLength(comment), 0);
  if (bytes > MAX_COMMENTS)
    throw invalidField('comment', 'too_long', `is too long: all of an event have ${MAX_COMMENTS} bytes`);
}
