import * as z from 'zod';
import { placeOf } from '#shared/domain/calendar/calendars/store.ts';
import {
  amongIds,
  type Criterion,
  inList,
  matching,
  sharedWith,
  withTags,
} from '#shared/domain/collaboration/record-lists/criteria.ts';
import { recordFilters } from '#shared/domain/collaboration/record-lists/filters.ts';
import { tagsNamed } from '#shared/domain/collaboration/tags/filters.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { requireContact } from '#shared/domain/crm/contacts/policy.ts';
import { carrying } from '#shared/domain/crm/details/memberships.ts';
import { requireSpace } from '#shared/domain/crm/spaces/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { addressesIn } from '#shared/domain/mail/threads/lists/owners.ts';
import { recordNotFound } from '#shared/errors.ts';
import { moment } from '#shared/moments.ts';
import { emailAddress, uuid } from '#shared/values.ts';
import { seesDetails } from './access.ts';
import type { CalendarEvent } from './event.ts';
import { addressesOf, domainOf, eventIndex, eventLists, eventWords } from './lists.ts';
import { peopleOfOrganization } from './organizations.ts';
import { slices } from './window.ts';

/** The query parameters that list events (docs/specification/calendar.md, "Lists of events"). */

export const eventFilters = {
  slice: z.enum(slices).optional().meta({
    description:
      'today and week: in the user’s time zone; upcoming: not over; past: over within the last year, newest first; shared: with the user or one of their groups',
  }),
  starts_after: moment.optional().meta({
    description: 'The first page begins with events that are not over at this time; now when no time is sent',
  }),
  starts_before: moment.optional().meta({
    description: 'Events that start before this time; without it, series are shown for a year',
  }),
  calendar_id: uuid.optional().meta({ description: 'Events of this calendar' }),
  mailbox_id: uuid.optional().meta({ description: 'Events of the calendar of this mailbox' }),
  contact_id: uuid.optional().meta({ description: 'Events that invite an address of this contact' }),
  organization_id: uuid.optional().meta({
    description: 'Events that invite people of this organization: its employees, or addresses of its domains',
  }),
  space_id: uuid
    .optional()
    .meta({ description: 'Events that invite people of this space, or carry its tags' }),
  participant: emailAddress.optional().meta({ description: 'Events that invite this email address' }),
  query: recordFilters.query,
  tags: recordFilters.tags,
  tag_operator: recordFilters.tag_operator,
};

export type EventFilters = z.output<z.ZodObject<typeof eventFilters>>;

type Found = Criterion<CalendarEvent>;

const inMailbox = (id: string): Found =>
  inList(eventLists.mailbox(id), ({ mailbox_id }) => mailbox_id === id);

/** 404 for a calendar that the caller does not see, and one of a mailbox that was deleted. */
async function inCalendar(ctx: CallerContext, id: string): Promise<Found> {
  const found = await placeOf(ctx, id);
  if (!found) throw recordNotFound();
  if (found.mailbox_id !== null) await requireMailbox(ctx, found.mailbox_id);
  const own = found.mailbox_id !== null && found.primary;
  // A mailbox's own calendar has no list: in most mailboxes it is the only one.
  const list = own ? eventLists.mailbox(found.mailbox_id) : eventLists.calendar(id);
  return inList(list, ({ calendar_id }) => calendar_id === id);
}

/** 404 for a mailbox that the caller has no access to. */
async function ofMailbox(ctx: CallerContext, id: string): Promise<Found> {
  await requireMailbox(ctx, id);
  return inMailbox(id);
}

/** With one of these addresses, or one of a domain, among the attendees. */
export function inviting(addresses: string[], domains: string[] = []): Found {
  const [people, companies] = [new Set(addresses), new Set(domains)];
  const keeps = (event: CalendarEvent) =>
    addressesOf(event).some((address) => people.has(address) || companies.has(domainOf(address)));
  const lists = [...addresses.map(eventLists.with), ...domains.map(eventLists.at)];
  return lists.length > 0 ? { lists, keeps } : amongIds([], () => false);
}

async function ofContact(ctx: CallerContext, id: string): Promise<Found> {
  const contact = await requireContact(ctx, id);
  return inviting(contact.email_addresses.map(({ email_address }) => email_address));
}

async function ofOrganization(ctx: CallerContext, id: string): Promise<Found> {
  const { addresses, domains } = await peopleOfOrganization(ctx, id);
  return inviting(addresses, domains);
}

async function ofSpace(
  ctx: CallerContext,
  id: string,
  tags: Promise<TagDictionary>,
): Promise<Found | Found[]> {
  const [space, dictionary, addresses] = await Promise.all([
    requireSpace(ctx, id),
    tags,
    addressesIn(ctx, 'spaces', id),
  ]);
  return space.kind === 'tags'
    ? carrying<CalendarEvent>(space, dictionary)
    : inviting([...new Set(addresses)]);
}

const ofWords = (query: string): Found => matching({ ...eventIndex, words: eventWords }, query);

type Finding = Found[] | Promise<Found | Found[]>;

/** What only those may ask who see what an event is about: others would learn it from the answer. */
function detailed(ctx: CallerContext, filters: EventFilters, tags: Promise<TagDictionary>): Finding[] {
  const {
    contact_id,
    organization_id,
    space_id,
    participant,
    query,
    tags: tagged,
    tag_operator = 'any',
  } = filters;
  return [
    ...(contact_id === undefined ? [] : [ofContact(ctx, contact_id)]),
    ...(organization_id === undefined ? [] : [ofOrganization(ctx, organization_id)]),
    ...(space_id === undefined ? [] : [ofSpace(ctx, space_id, tags)]),
    participant === undefined ? [] : [inviting([participant])],
    query === undefined ? [] : [ofWords(query)],
    ...(tagged === undefined
      ? []
      : [tags.then((known) => withTags<CalendarEvent>(tagsNamed(tagged, known), tag_operator))]),
  ];
}

/** 404 for a record that the caller does not see, and for a tag that the account does not have. */
export async function eventCriteria(
  ctx: CallerContext,
  filters: EventFilters,
  tags: Promise<TagDictionary>,
): Promise<Found[]> {
  const { user } = ctx.caller;
  const { slice, calendar_id, mailbox_id } = filters;
  const places = inPlaces(ctx, { calendar_id, mailbox_id });
  const [found] = await Promise.all([
    Promise.all(detailed(ctx, filters, tags)).then((all) => all.flat()),
    places,
  ]);
  const guarded = found.map(({ keeps, ...criterion }) => ({
    ...criterion,
    keeps: (event: CalendarEvent) => seesDetails(user, event) && keeps(event),
  }));
  return [...guarded, ...(slice === 'shared' ? [sharedWith<CalendarEvent>(user)] : []), ...(await places)];
}

/** 404 for a calendar or mailbox that the caller has no access to. */
export const inPlaces = async (
  ctx: CallerContext,
  { calendar_id, mailbox_id }: Pick<EventFilters, 'calendar_id' | 'mailbox_id'>,
): Promise<Found[]> => [
  ...(calendar_id === undefined ? [] : [await inCalendar(ctx, calendar_id)]),
  ...(mailbox_id === undefined ? [] : [await ofMailbox(ctx, mailbox_id)]),
];
