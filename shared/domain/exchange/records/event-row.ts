import type { Meeting } from '#shared/domain/calendar/calendar-events/imported/meeting.ts';
import type { CalendarHead } from '#shared/domain/exchange/formats/ics-reader.ts';
import { invalidField } from '#shared/errors.ts';
import { type Clocks, momentOf, writtenIn } from './event-moments.ts';
import { peopleIn } from './event-people.ts';
import { recurrenceIn } from './event-recurrence.ts';
import { textsIn } from './event-texts.ts';
import { timesIn } from './event-times.ts';
import { one, textOf, type VEvent } from './vevent.ts';

/** An event of a file as the body of a request, with what requests do not send. */

/** Characters of a UID: it is part of the event. */
const MAX_UID = 1_000;

function uidIn(event: VEvent): string {
  const uid = textOf(event, 'uid');
  if (uid === '') throw invalidField('ical_uid', 'required', 'is required');
  if (uid.length > MAX_UID) throw invalidField('ical_uid', 'too_long', `has at most ${MAX_UID} characters`);
  return uid;
}

function occurrenceIn(event: VEvent, clocks: Clocks): Meeting['occurrence'] {
  const property = one(event, 'recurrence-id');
  if (!property) return undefined;
  if (property.parameters.range !== undefined)
    throw invalidField('recurrence', 'invalid', 'changes an occurrence and all that follow it');
  const written = writtenIn(property, clocks, 'original_starts_at');
  return 'day' in written ? { on: written.day.toString() } : { at: momentOf(written) };
}

const statuses = { TENTATIVE: 'tentative', CANCELLED: 'cancelled' } as const;

function statusIn(event: VEvent): Meeting['status'] {
  const written = textOf(event, 'status').toUpperCase();
  return Object.hasOwn(statuses, written) ? statuses[written as keyof typeof statuses] : 'confirmed';
}

/** In UTC, so that texts compare as times do. */
const stampIn = (event: VEvent) => {
  const text = textOf(event, 'last-modified') || textOf(event, 'dtstamp');
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?$/.test(text) ? text.slice(0, 19) : null;
};

/** What is called off needs no times: nothing of the draft is stored. */
const anyTimes = { starts_at: '1970-01-01T00:00:00Z', ends_at: '1970-01-02T00:00:00Z' };

export interface EventRow {
  draft: Record<string, unknown>;
  meeting: Meeting;
}

/** 400 for what cannot be read. `own` is the time zone of the user. */
export function eventRow(event: VEvent, { zones, cancels }: CalendarHead, own: string): EventRow {
  const clocks = { zones, own };
  const { attendees, ...people } = peopleIn(event);
  const occurrence = occurrenceIn(event, clocks);
  const recurrence = occurrence ? undefined : recurrenceIn(event, clocks);
  const sequence = Number(textOf(event, 'sequence') || 0);
  return {
    draft: {
      ...textsIn(event),
      ...(cancels && !event.has('dtstart') ? anyTimes : timesIn(event, clocks)),
      attendees,
      ...(recurrence ? { recurrence } : {}),
    },
    meeting: {
      ical_uid: uidIn(event),
      occurrence,
      sequence: Number.isSafeInteger(sequence) ? sequence : 0,
      modified_at: stampIn(event),
      status: statusIn(event),
      cancels,
      ...people,
    },
  };
}
