import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import {
  presentReply,
  type ShowsReplies,
  type Surroundings,
} from '#shared/domain/collaboration/replies/present.ts';
import {
  inOrder,
  presentShare,
  type ShareRecord,
  shareIdOf,
} from '#shared/domain/collaboration/shares/share.ts';
import { targetId } from '#shared/domain/collaboration/shares/target.ts';
import { presentTags, type TagDictionary, tagsFor } from '#shared/domain/collaboration/tags/store.ts';
import { findContactsByAddress } from '#shared/domain/crm/contacts/addresses.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { htmlToText } from '#shared/domain/platform/html/text.ts';
import { seesDetails } from './access.ts';
import { type CalendarEvent, type EventRecord, presentFields, type StoredBrief } from './event.ts';
import { addressesOf } from './lists.ts';
import { answerOf, ownAnswer } from './own.ts';
import { eventRef } from './writes.ts';

/** Events as responses show them. */

export type Ctx = CallerContext<SeesRecords & ShowsReplies>;

type Contacts = ReadonlyMap<string, { id: string; name: string }>;

interface Around {
  contacts: Contacts;
  tags: TagDictionary;
  replies: Surroundings;
}

function attendeesOf(event: CalendarEvent, contacts: Contacts): EventRecord['attendees'] {
  return event.attendees.map((attendee) => ({
    email_address: attendee.email_address,
    display_name: attendee.user?.name ?? null,
    response_status: answerOf(event, attendee),
    comment: event.responses[attendee.email_address]?.comment ?? null,
    optional: attendee.optional,
    organizer: attendee.email_address === event.organizer_email_address,
    contact: contacts.get(attendee.email_address) ?? null,
    user_id: attendee.user?.id ?? null,
  }));
}

/** Those of the series are named as its own. */
export function sharesOf({ id, shares, recurring_event_id }: CalendarEvent): ShareRecord[] {
  return inOrder(Object.values(shares)).map((share) => {
    const series = recurring_event_id === null ? undefined : eventRef(recurring_event_id);
    const ofSeries = series && share.id === shareIdOf(series, targetId(share));
    return presentShare(share, ofSeries ? series : eventRef(id));
  });
}

export const presentBrief = (brief: StoredBrief, replies: Surroundings) => ({
  ...presentReply(brief, brief.asker_id, replies),
  generated_at: brief.generated_at,
});

const nothing = {
  name: null,
  description: null,
  description_html: null,
  location: null,
  conference_url: null,
  organizer_email_address: null,
  attendees: [],
  ical_uid: null,
  has_transcript: false,
  brief: null,
  tags: [],
  shares: [],
};

function detailsOf(event: CalendarEvent, { contacts, tags, replies }: Around) {
  const { description_html, brief } = event;
  return {
    name: event.name,
    description: description_html === null ? null : htmlToText(description_html) || null,
    description_html,
    location: event.location,
    conference_url: event.conference_url,
    organizer_email_address: event.organizer_email_address,
    attendees: attendeesOf(event, contacts),
    ical_uid: event.ical_uid,
    has_transcript: event.transcript !== null,
    brief: brief ? presentBrief(brief, replies) : null,
    tags: presentTags(tags, event.tag_ids ?? []),
    shares: sharesOf(event),
  };
}

function presentOne({ caller: { user } }: Ctx, event: CalendarEvent, around: Around): EventRecord {
  return presentFields(event, {
    ...(seesDetails(user, event) ? detailsOf(event, around) : nothing),
    response_status: ownAnswer(user, event),
    original_starts_at: event.original_starts_at ?? null,
    reminders: event.reminders?.[user.id] ?? [],
    comments: null,
    tasks: null,
  });
}

/** As the caller sees them in a list, which reads `tags` beside the events. */
export async function presentEvents(
  ctx: Ctx,
  events: CalendarEvent[],
  tags: Promise<TagDictionary> = tagsFor(ctx, events),
): Promise<EventRecord[]> {
  const detailed = events.filter((event) => seesDetails(ctx.caller.user, event));
  const addresses = [...new Set(detailed.flatMap(addressesOf))];
  const [dictionary, contacts, replies] = await Promise.all([
    tags,
    findContactsByAddress(ctx, addresses),
    ctx.ports.readSurroundings(
      ctx,
      detailed.flatMap(({ brief }) => brief ?? []),
    ),
  ]);
  return events.map((event) => presentOne(ctx, event, { contacts, tags: dictionary, replies }));
}

export async function presentEvent(ctx: Ctx, event: CalendarEvent): Promise<EventRecord> {
  const [record] = await presentEvents(ctx, [event]);
  return record as EventRecord;
}
