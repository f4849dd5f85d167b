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

type Responses = CalendarEvent['responses'];

function commentsFit(responses: Responses): boolean {
  const comments = Object.values(responses).flatMap(({ comment }) => comment ?? []);
  return comments.reduce((sum, comment) => sum + Buffer.byteLength(comment), 0) <= MAX_COMMENTS;
}

/** Only the comments of those who are invited, which are the ones that are shown. */
function ofInvited(responses: Responses, attendees: CalendarEvent['attendees']): Responses {
  const invited = new Set(attendees.map(({ email_address }) => email_address));
  const kept = Object.entries(responses).map(([address, response]) => [
    address,
    invited.has(address) ? response : { ...response, comment: null },
  ]);
  return Object.fromEntries(kept) as Responses;
}

/** With room for all comments that are shown: others give way to them. 400 for one that is too long beside those. */
export function withRoomForComments(responses: Responses, attendees: CalendarEvent['attendees']): Responses {
  if (commentsFit(responses)) return responses;
  const shown = ofInvited(responses, attendees);
  if (!commentsFit(shown))
    throw invalidField('comment', 'too_long', `is too long: all of an event have ${MAX_COMMENTS} bytes`);
  return shown;
}
