import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { eventCriteria, inviting } from '#shared/domain/calendar/calendar-events/filters.ts';
import { peopleOfOrganization } from '#shared/domain/calendar/calendar-events/organizations.ts';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { requireContact } from '#shared/domain/crm/contacts/policy.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import { withParticipant } from '#shared/domain/mail/threads/lists/criteria.ts';
import { addressesIn } from '#shared/domain/mail/threads/lists/owners.ts';
import { type Plan, planOf } from '#shared/domain/mail/threads/lists/plan.ts';
import { planFilters } from '#shared/domain/mail/threads/plan-filters.ts';
import { recordNotFound } from '#shared/errors.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import type { TimelineContext } from './source.ts';

/** Whose timeline it is (docs/specification/views.md, "Timeline"). */

export interface Whose {
  contact_id?: string | undefined;
  organization_id?: string | undefined;
  deal_id?: string | undefined;
  space_id?: string | undefined;
  user_id?: string | undefined;
}

/** How people are found among those that events invite. */
interface Invited {
  addresses: string[];
  domains: string[];
}

/** What a timeline is made of. */
export interface Scope {
  /** Before all activities. */
  activities: Key;
  /** Mail and meetings, for timelines that have them. */
  mail?: { threads: Plan; events: Criterion<CalendarEvent>[] };
  /** The people whose mail and meetings with others the caller may know of. */
  people?: { addresses: string[]; invited: Invited };
}

const withPeople = (addresses: string[], invited: Invited) => ({
  mail: {
    threads: planOf([withParticipant(addresses)]),
    events: [inviting(invited.addresses, invited.domains)],
  },
  people: { addresses, invited },
});

async function ofContact(ctx: TimelineContext, id: string): Promise<Scope> {
  const { email_addresses } = await requireContact(ctx, id);
  const addresses = email_addresses.map(({ email_address }) => email_address.toLowerCase());
  return {
    activities: keys.activities('contacts', id),
    ...withPeople(addresses, { addresses, domains: [] }),
  };
}

async function ofOrganization(ctx: TimelineContext, id: string): Promise<Scope> {
  const [people, invited] = await Promise.all([
    addressesIn(ctx, 'organizations', id),
    peopleOfOrganization(ctx, id),
  ]);
  return { activities: keys.activities('organizations', id), ...withPeople([...new Set(people)], invited) };
}

async function ofDeal(ctx: TimelineContext, id: string): Promise<Scope> {
  await requireVisible(ctx, { type: 'deals', id });
  return { activities: keys.activities('deals', id) };
}

async function ofSpace(ctx: TimelineContext, space_id: string): Promise<Scope> {
  const tags = tagDictionary(ctx.table, ctx.caller.account.id);
  const [threads, events] = await Promise.all([
    planFilters({ ...ctx, tags }, { space_id }),
    eventCriteria(ctx, { space_id }, tags),
  ]);
  return { activities: keys.activities('spaces', space_id), mail: { threads, events } };
}

async function ofUser({ table, caller }: TimelineContext, id: string): Promise<Scope> {
  const [user] = await findUsers(table, caller.account.id, [id]);
  if (!user) throw recordNotFound();
  return { activities: keys.activitiesOf(id) };
}

/** 404 for a record that the caller does not see, and for a user of another account. */
export async function scopeOf(ctx: TimelineContext, whose: Whose): Promise<Scope> {
  const { contact_id, organization_id, deal_id, space_id, user_id } = whose;
  if (contact_id !== undefined) return ofContact(ctx, contact_id);
  if (organization_id !== undefined) return ofOrganization(ctx, organization_id);
  if (deal_id !== undefined) return ofDeal(ctx, deal_id);
  if (space_id !== undefined) return ofSpace(ctx, space_id);
  if (user_id !== undefined) return ofUser(ctx, user_id);
  return { activities: keys.activitiesOf(ctx.caller.account.id), mail: { threads: planOf([]), events: [] } };
}
