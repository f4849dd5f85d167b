import * as z from 'zod';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { shownReminders } from '#shared/domain/collaboration/reminders/minutes.ts';
import type { AssistantReply } from '#shared/domain/collaboration/replies/block.ts';
import { block, recordRef } from '#shared/domain/collaboration/replies/block.ts';
import type { OwnedItem } from '#shared/domain/collaboration/shares/share.ts';
import { shown } from '#shared/domain/crm/details/fields.ts';
import { attachedFields } from '#shared/domain/crm/details/record.ts';
import {
  apart,
  derived,
  fixed,
  given,
  optional,
  required,
  resource,
  type StoredFields,
} from '#shared/resource.ts';
import { isoDate, timestamp, uuid } from '#shared/values.ts';
import { written } from './written.ts';

const answer = z.enum(['needs_action', 'accepted', 'declined', 'tentative']);

const attendee = z.strictObject({
  email_address: z.string().meta({ example: 'ada@acme.example' }),
  display_name: shown('Ada Byron'),
  response_status: answer,
  comment: shown('I shall be late.'),
  optional: z.boolean(),
  organizer: z.boolean(),
  contact: z.strictObject({ id: uuid, name: z.string().meta({ example: 'Ada Byron' }) }).nullable(),
  user_id: uuid.nullable(),
});

export const briefSchema = z
  .strictObject({
    status: z.enum(['pending', 'complete', 'failed']),
    text: shown('Two letters are unanswered.'),
    blocks: z.array(block),
    refs: z.array(recordRef),
    generated_at: timestamp.nullable(),
  })
  .meta({
    id: 'MeetingBrief',
    example: {
      status: 'complete',
      text: 'Two letters are unanswered.',
      blocks: [{ type: 'text', text: 'Two letters are unanswered.' }],
      refs: [],
      generated_at: '2026-11-20T09:30:00.000Z',
    },
  });

const events = resource('CalendarEvent', {
  id: given(uuid),
  user_id: given(uuid),
  calendar_id: fixed(required(written.calendar_id, uuid)),
  mailbox_id: given(uuid.nullable()),
  name: apart(required(written.name, shown('Ferry timetable'))),
  description: derived(shown('Before the summer.')),
  description_html: apart(optional(written.description_html, shown('<p>Before the summer.</p>'))),
  location: apart(optional(written.location, shown('Pier 3'))),
  conference_url: apart(optional(written.conference_url, shown('https://meet.example/ferry'))),
  starts_at: optional(written.starts_at, timestamp),
  ends_at: optional(written.ends_at, timestamp),
  all_day: optional(written.all_day, z.boolean()),
  starts_on: optional(written.starts_on, isoDate.nullable()),
  ends_on: optional(written.ends_on, isoDate.nullable()),
  time_zone: optional(written.time_zone, shown('Europe/London')),
  status: given(z.enum(['confirmed', 'tentative', 'cancelled'])),
  private: optional(written.private, z.boolean()),
  organizer_email_address: apart(given(shown('ada@acme.example'))),
  attendees: apart(optional(written.attendees, z.array(attendee))),
  response_status: derived(answer.nullable()),
  recurrence: optional(
    written.recurrence,
    z.array(z.string().meta({ example: 'RRULE:FREQ=WEEKLY;BYDAY=MO' })).nullable(),
  ),
  recurring_event_id: given(uuid.nullable()),
  original_starts_at: derived(timestamp.nullable()),
  ical_uid: apart(given(shown('0198c0de-0000-7000-8000-000000000001'))),
  reminders: derived(shownReminders),
  has_transcript: derived(z.boolean()),
  brief: derived(briefSchema.nullable()),
  ...attachedFields,
});

export interface StoredAttendee {
  email_address: string;
  optional: boolean;
  /** Of the account, by the address. */
  user: { id: string; name: string } | null;
}

export interface StoredResponse {
  status: 'accepted' | 'declined' | 'tentative';
  comment: string | null;
}

/** Its parts are items of their own under the event (transcripts/parts.ts). */
export interface StoredTranscript {
  id: string;
  language: string | null;
  parts: number;
  created_at: string;
}

export type StoredBrief = AssistantReply & { id: string; asker_id: string; generated_at: string | null };

/** What an occurrence takes from its series, unless it has its own. */
export type OwnField =
  | 'times'
  | 'name'
  | 'description_html'
  | 'location'
  | 'conference_url'
  | 'private'
  | 'attendees'
  | 'status';

/** What an imported file last said of an event (imported/newer.ts). */
export interface FileStamp {
  /** The row of the import that created the event. */
  row: string;
  sequence: number;
  modified_at: string | null;
  /** A hash of each part as it came from the file: what is different now was changed here. */
  parts: Record<string, string>;
  /** The first copy of the meeting in the account, and the name under which this is known as the first. */
  same_as: string | null;
  names: string | null;
  /** In the calendar of the organizer. */
  organizes: boolean;
}

/**
 * An event as stored: single, a series, or an occurrence that has something of its own. All other occurrences follow
 * from their series (occurrences.ts; docs/decisions/0041).
 */
export type CalendarEvent = OwnedItem &
  Pick<GuardedItem, 'invited_user_ids'> &
  StoredFields<typeof events.fields> & {
    name: string;
    description_html: string | null;
    location: string | null;
    conference_url: string | null;
    organizer_email_address: string;
    ical_uid: string | null;
    visibility: 'linked';
    attendees: StoredAttendee[];
    /** By email address. */
    responses: Record<string, StoredResponse>;
    /** By user: minutes before the start. Of a series for all of its occurrences. */
    reminders?: Record<string, number[]>;
    transcript: StoredTranscript | null;
    brief?: StoredBrief;
    file?: FileStamp;
    /** The address of its resource at the server of its calendar (docs/decisions/0071). */
    at_server?: string;
    /** Its id follows from this, and those of its occurrences (occurrence-id.ts). */
    handle: string;
    /** Of a series: the last day by its rules, in its time zone. */
    last_on?: string;
    /** Of a series: days by which it has moved as a whole since the keys of its occurrences were given. */
    shift_days?: number;
    /** Of a series: the keys of the occurrences that are stored, or deleted. */
    apart?: Set<string>;
    /** Of an occurrence: its key in the series. */
    original_key?: string;
    /** Of an occurrence, as read with its series. */
    original_starts_at?: string;
    /** Of an occurrence: what it does not take from its series. */
    own?: OwnField[];
  };

/** docs/specification/calendar.md, "Events". */
export const eventSchema = events.response;

export type EventRecord = z.input<typeof eventSchema>;

/** Judged beside fields of a wrong type as well: a response names all bad fields. */
const requiredTime = (field: 'starts_at' | 'ends_at') => ({
  path: [field],
  params: { field_code: 'required' },
  when: ({ issues }: z.core.ParsePayload) => issues.every(({ path }) => path?.length),
});

export const eventDraft = events.strictDraft
  .refine(({ starts_at, starts_on }) => (starts_at ?? starts_on) !== undefined, requiredTime('starts_at'))
  .refine(({ ends_at, ends_on }) => (ends_at ?? ends_on) !== undefined, requiredTime('ends_at'))
  .meta({ id: 'CalendarEventDraft' });

export type EventDraft = z.output<typeof events.draft>;

export const eventChanges = events.changes.meta({ id: 'CalendarEventChanges' });

export type EventChanges = Omit<z.output<typeof events.writableChanges>, 'calendar_id'>;

export const presentFields = events.present;

export const scopes = ['this', 'following', 'all'] as const;

export type Scope = (typeof scopes)[number];
