import { startOfToday, startOfTomorrow, startOfWeek } from '#shared/days.ts';
import type { KnowsContacts } from '#shared/domain/collaboration/records/contact-book.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';
import { tagsNamed } from '#shared/domain/collaboration/tags/filters.ts';
import { type TagDictionary, tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { primaryOf } from '#shared/domain/identity/users/primary.ts';
import { requireMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { recordNotFound } from '#shared/errors.ts';
import { readMoment } from '#shared/moments.ts';
import type { Slice, ThreadFilters } from './filters.ts';
import {
  type Criterion,
  inCategory,
  inMailbox,
  inState,
  matching,
  matchingSubject,
  received,
  sentBetween,
  sharedWith,
  snoozed,
  startedBefore,
  withParticipant,
  withTags,
} from './lists/criteria.ts';
import { inSpace, involving } from './lists/owners.ts';
import { type Plan, planOf } from './lists/plan.ts';

/** The filters of a request as a plan. 404 when they name a record that the caller does not see. */

interface FilterContext extends CallerContext<SeesRecords & KnowsContacts> {
  /** When they are read anyway; else they are when a filter needs them. */
  tags?: Promise<TagDictionary>;
}

type Found = Criterion | Promise<Criterion> | undefined;

function sliceCriterion(slice: Slice, ctx: FilterContext): Found {
  const { caller, now } = ctx;
  const { time_zone, week_starts_on } = caller.user;
  switch (slice) {
    case 'inbox':
      return received;
    case 'today':
      return sentBetween(startOfToday(now, time_zone), startOfTomorrow(now, time_zone));
    case 'workweek':
      return sentBetween(startOfWeek(now, time_zone, week_starts_on));
    case 'awaiting':
      return inState('unreplied');
    case 'snoozed':
      return snoozed(now);
    case 'pinned-contacts':
      return pinnedContacts(ctx);
    case 'shared':
      return sharedWith('direct');
    default:
      return inState(slice);
  }
}

function scopeCriterion(scope: 'personal' | 'shared', { caller }: FilterContext): Criterion {
  if (scope === 'shared') return sharedWith('direct', 'group');
  const primary = primaryOf(caller.user);
  return primary === null ? nothing : inMailbox(primary);
}

/** Matches no thread. */
const nothing: Criterion = { clauses: [[]], exact: 'always', keeps: () => false };

function mailboxCriterion(id: string, { caller }: FilterContext): Criterion {
  if (!Object.hasOwn(caller.user.mailboxes, id)) throw recordNotFound();
  return inMailbox(id);
}

async function pinnedContacts(ctx: FilterContext): Promise<Criterion> {
  return withParticipant(await ctx.ports.contacts.pinnedAddresses(ctx));
}

async function contactCriterion(id: string, ctx: FilterContext): Promise<Criterion> {
  const addresses = await ctx.ports.contacts.addressesOf(ctx, id);
  if (!addresses) throw recordNotFound();
  return withParticipant(addresses);
}

async function organizationCriterion(id: string, ctx: FilterContext): Promise<Criterion> {
  const organization = { type: 'organizations' as const, id };
  const [criterion] = await Promise.all([
    involving(ctx, 'organizations', id),
    requireVisible(ctx, organization),
  ]);
  return criterion;
}

const tagsOf = ({ table, caller, tags = tagDictionary(table, caller.account.id) }: FilterContext) => tags;

async function spaceCriterion(id: string, ctx: FilterContext): Promise<Criterion> {
  const [criterion] = await Promise.all([
    inSpace(ctx, id, tagsOf(ctx)),
    requireVisible(ctx, { type: 'spaces', id }),
  ]);
  return criterion;
}

async function tagCriterion(sent: string, operator: 'any' | 'all', ctx: FilterContext): Promise<Criterion> {
  return withTags(tagsNamed(sent, await tagsOf(ctx)), operator);
}

/** 404 for a mailbox that was deleted. Threads are read meanwhile: a plan needs no item of it. */
export const requireNamedMailbox = async (
  ctx: CallerContext,
  { mailbox_id }: Pick<ThreadFilters, 'mailbox_id'>,
) => mailbox_id && requireMailbox(ctx, mailbox_id);

/** Each filter as a criterion. */
const criterionOf: {
  [Name in keyof ThreadFilters]-?: (
    value: NonNullable<ThreadFilters[Name]>,
    ctx: FilterContext,
    filters: ThreadFilters,
  ) => Found;
} = {
  slice: sliceCriterion,
  scope: scopeCriterion,
  mailbox_id: mailboxCriterion,
  contact_id: contactCriterion,
  organization_id: organizationCriterion,
  space_id: spaceCriterion,
  query: matching,
  subject: matchingSubject,
  participant: (address) => withParticipant([address.toLowerCase()]),
  category: inCategory,
  unread: (on) => (on ? inState('unread') : undefined),
  flagged: (on) => (on ? inState('flagged') : undefined),
  unresolved: (on) => (on ? inState('unresolved') : undefined),
  has_attachment: (on) => (on ? inState('has_attachment') : undefined),
  first_sent_before: (sent, { caller }) => startedBefore(readMoment(sent, caller.user.time_zone).getTime()),
  // Sent after the moment, not at it.
  last_sent_after: (sent, { caller }) => sentBetween(readMoment(sent, caller.user.time_zone).getTime() + 1),
  tags: (sent, ctx, { tag_operator }) => tagCriterion(sent, tag_operator ?? 'any', ctx),
  tag_operator: () => undefined,
};

export async function planFilters(ctx: FilterContext, filters: ThreadFilters): Promise<Plan> {
  const names = Object.keys(criterionOf) as (keyof ThreadFilters)[];
  // One that throws comes to `Promise.all` as well, and leaves none behind that reads.
  const found = names.map(async (name) => {
    const value = filters[name];
    const criterion = criterionOf[name] as (
      value: unknown,
      ctx: FilterContext,
      filters: ThreadFilters,
    ) => Found;
    return value === undefined ? undefined : criterion(value, ctx, filters);
  });
  return planOf((await Promise.all(found)).filter((criterion) => criterion !== undefined));
}
