import type { FoundBy, RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { momentRank } from '#shared/domain/collaboration/record-lists/ranks.ts';
import { wordsOf, wordsOfAll } from '#shared/domain/platform/postings/words.ts';
import type { CalendarEvent } from './event.ts';
import { daysOf, isSeries, whole } from './load.ts';

/** The lists of events (docs/decisions/0035, 0041). Series are in an order of their own, by their ends. */

const HOUR = 3_600_000;

/**
 * Lists by length, each with the longest, in milliseconds: those that a window overlaps began no earlier than this before
 * it. A day may have 25 hours.
 */
export const LENGTHS = { day: 25 * HOUR, month: 32 * 24 * HOUR, longer: Number.POSITIVE_INFINITY };

export type Length = keyof typeof LENGTHS;

function lengthOf({ starts_at, ends_at }: CalendarEvent): Length {
  const length = Date.parse(ends_at) - Date.parse(starts_at);
  return length <= LENGTHS.day ? 'day' : length <= LENGTHS.month ? 'month' : 'longer';
}

export const eventLists = {
  length: (length: Length) => `length:${length}`,
  mailbox: (id: string) => `mailbox:${id}`,
  /** Of one at a server. */
  calendar: (id: string) => `calendar:${id}`,
  with: (email_address: string) => `with:${email_address}`,
  at: (domain: string) => `at:${domain}`,
};

export const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);

export const addressesOf = ({ attendees }: CalendarEvent) =>
  attendees.map(({ email_address }) => email_address);

function listsOf(event: CalendarEvent): string[] {
  const places = [
    ...(event.mailbox_id === null ? [] : [eventLists.mailbox(event.mailbox_id)]),
    ...(event.at_server === undefined ? [] : [eventLists.calendar(event.calendar_id)]),
  ];
  if (isSeries(event)) return places;
  const addresses = addressesOf(event);
  return [
    ...places,
    eventLists.length(lengthOf(event)),
    ...addresses.map(eventLists.with),
    ...addresses.map((address) => eventLists.at(domainOf(address))),
  ];
}

/** What the postings of single events tell about whom one meets, without reading the events. */
export interface MeetingNote {
  addresses: string[];
  /** Milliseconds. */
  ends: number;
  private?: true;
}

function meetingNote(event: CalendarEvent): MeetingNote {
  return {
    addresses: addressesOf(event),
    ends: Date.parse(event.ends_at),
    ...(event.private ? { private: true } : {}),
  };
}

/** When the last occurrence has ended. */
function endOf(series: CalendarEvent): string {
  const days = daysOf(series);
  const last = days.span.to.add({ days: 1 }).toZonedDateTime(days.zone).epochMilliseconds;
  return new Date(last + Date.parse(series.ends_at) - Date.parse(series.starts_at)).toISOString();
}

/** Series have no words in lists of events: the search over all records finds them in their own order. */
function foundBy(event: CalendarEvent): FoundBy {
  const title = eventWords(event);
  const text = attendeeWords(event).filter((word) => !title.includes(word));
  return isSeries(event)
    ? { order: 'series', title, text }
    : { order: 'starts_at', moment: Date.parse(event.starts_at), text };
}

export const eventIndex: RecordIndex<CalendarEvent> = {
  type: 'calendar_events',
  orders: {
    starts_at: (event) => (isSeries(event) ? undefined : momentRank(event.starts_at)),
    series: (event) => (isSeries(event) ? momentRank(endOf(event)) : undefined),
  },
  words_by: 'starts_at',
  words: (event) => (isSeries(event) ? [] : eventWords(event)),
  found: foundBy,
  lists: listsOf,
  noted: (event) =>
    isSeries(event) ? [] : [{ list: eventLists.length(lengthOf(event)), note: { ...meetingNote(event) } }],
  personal: () => [],
  users: ({ invited_user_ids = [] }) => invited_user_ids,
  // An occurrence has those that are its own, whatever else its item says.
  opening: ['private', 'own'],
  audience: async (_, { mailbox_id, user_id }) => [mailbox_id ?? user_id],
  whole,
};

export const eventWords = ({ name, location }: CalendarEvent) => [
  ...new Set([...wordsOf(name), ...wordsOf(location)]),
];

/** Words of the addresses of those who are invited, and of the names of those who are users. */
const attendeeWords = ({ attendees }: CalendarEvent) =>
  wordsOfAll(attendees.flatMap(({ email_address, user }) => [email_address, user?.name ?? null]));
