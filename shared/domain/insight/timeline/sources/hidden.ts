import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import {
  domainOf,
  eventIndex,
  eventLists,
  LENGTHS,
  type Length,
  type MeetingNote,
} from '#shared/domain/calendar/calendar-events/lists.ts';
import { shownElsewhere } from '#shared/domain/calendar/calendar-events/one-meeting.ts';
import { listName } from '#shared/domain/collaboration/record-lists/entry.ts';
import { idOf, momentIn, VALUED } from '#shared/domain/collaboration/record-lists/ranks.ts';
import { type HiddenInteraction, hiddenAmong } from '#shared/domain/collaboration/share-requests/hidden.ts';
import { mailboxesWith } from '#shared/domain/mail/last-mail/read.ts';
import { giversAmong } from '#shared/domain/mail/mailboxes/givers.ts';
import { listAccountMailboxes } from '#shared/domain/mail/mailboxes/store.ts';
import { listNames, type ThreadPosting, threadOf } from '#shared/domain/mail/threads/lists/postings.ts';
import type { ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { pageSize } from '#shared/domain/platform/postings/page.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import type { OwnedRange } from '#shared/domain/platform/postings/reader.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import type { Shown } from '../entry.ts';
import { type Candidate, candidateOf, type Range, type Source, type TimelineContext } from '../source.ts';

/**
 * Threads and events with somebody that the caller does not see, in mailboxes whose owners let colleagues know of them
 * (docs/specification/people.md, "Share requests").
 */

/** By mailbox of others that tells of what it has, the users in whose lists that is. */
export type Telling = ReadonlyMap<string, string[]>;

export async function tellingMailboxes({ table, caller }: TimelineContext): Promise<Telling> {
  const all = await listAccountMailboxes(table, caller.account.id);
  const others = all.filter(
    ({ id, share_metadata }) => share_metadata && !Object.hasOwn(caller.user.mailboxes, id),
  );
  if (others.length === 0) return new Map();
  const givers = await giversAmong(table, caller.account.id, others);
  return new Map([...givers].filter(([, users]) => users.length > 0));
}

const shownHidden = (hidden: HiddenInteraction): Shown => ({
  ...{ id: hidden.interaction_id, type: 'hidden_interaction', user_id: null, agent: null, count: 1 },
  ref: { type: hidden.interaction_type, id: hidden.interaction_id, label: null },
  detail: { ...hidden },
});

const shownById = (all: HiddenInteraction[]) =>
  new Map(all.map((hidden) => [hidden.interaction_id, shownHidden(hidden)]));

/** The postings of several owners' lists as one list, without those that `keeps` is false for. */
const readAll = <P extends Posting>(
  { table }: TimelineContext,
  ranges: OwnedRange<P>[],
  { wanted, keeps }: { wanted: number; keeps?: (posting: P) => boolean },
) =>
  new Conjunction<P>(table, [ranges], {
    page_size: pageSize([ranges], wanted),
    max_steps: Number.POSITIVE_INFINITY,
    ...(keeps ? { keeps } : {}),
  });

interface Asked {
  telling: Telling;
  /** In lower case. */
  addresses: string[];
}

/** Lists that are read without a look at who had mail with whom. */
const FEW_LISTS = 20;

type ListOf = { owner: string; address: string };

/** Lists in which there may be threads with the addresses. */
async function listsWith(ctx: TimelineContext, { telling, addresses }: Asked): Promise<ListOf[]> {
  const users = [...new Set([...telling.values()].flat())];
  if (users.length * addresses.length <= FEW_LISTS)
    return users.flatMap((owner) => addresses.map((address) => ({ owner, address })));
  return [...(await mailboxesWith(ctx, addresses))].flatMap(([address, mailbox_ids]) => {
    const owners = new Set(mailbox_ids.flatMap((id) => telling.get(id) ?? []));
    return [...owners].map((owner) => ({ owner, address }));
  });
}

/**
 * The ranks that others have for the threads, by thread: the newest of those whose whole view comes from mailboxes that
 * tell. A view that has more would tell of mail in a mailbox that does not.
 */
async function toldRanks(
  { table }: TimelineContext,
  { telling, addresses }: Asked,
  user_ids: string[],
  thread_ids: string[],
): Promise<Map<string, string>> {
  const wanted = user_ids.flatMap((user) => thread_ids.map((id) => keys.threadEntry(user, id)));
  const ranks = new Map<string, string>();
  for (const { thread_id, rank, mailbox_ids, participant_names } of await table.getMany<ThreadEntry>(
    wanted,
  )) {
    const tells = mailbox_ids.every((id) => telling.has(id));
    if (!tells || !addresses.some((address) => Object.hasOwn(participant_names, address))) continue;
    if (rank > (ranks.get(thread_id) ?? '')) ranks.set(thread_id, rank);
  }
  return ranks;
}

export async function hiddenThreadsOf(
  ctx: TimelineContext,
  asked: Asked,
  { upto, wanted }: Range,
): Promise<Source<ThreadPosting>> {
  const before = timeRank(upto + 1);
  const lists = await listsWith(ctx, asked);
  const user_ids = [...new Set(lists.map(({ owner }) => owner))];
  const ranges = lists.map(({ owner, address }) => ({ owner, list: listNames.participant(address), before }));
  const found = readAll<ThreadPosting>(ctx, ranges, { wanted });
  return {
    async next() {
      const posting = await found.next();
      // A thread has another rank for each of its readers.
      return posting && candidateOf(posting.SK, momentIn(posting.SK, 0), posting);
    },
    async show(candidates) {
      const ids = [...new Set(candidates.map(({ id }) => threadOf(id)))];
      const [ranks, hidden] = await Promise.all([
        toldRanks(ctx, asked, user_ids, ids),
        hiddenAmong(
          ctx,
          ids.map((id) => ({ type: 'threads' as const, id })),
        ),
      ]);
      const shown = shownById(hidden);
      return new Map(
        candidates.flatMap(({ id: rank }) => {
          const entry = shown.get(threadOf(rank));
          return entry && ranks.get(threadOf(rank)) === rank ? [[rank, entry] as const] : [];
        }),
      );
    },
  };
}

/** Without meetings that the caller has in an own calendar. */
async function notElsewhere(ctx: TimelineContext, candidates: Candidate[]): Promise<Set<string>> {
  const events = await ctx.table.getMany<CalendarEvent>(
    candidates.map(({ id }) => keys.record('calendar_events', id)),
  );
  const elsewhere = await shownElsewhere(ctx, events, []);
  return new Set(events.map(({ id }) => id).filter((id) => !elsewhere.has(id)));
}

interface Invited extends Asked {
  domains: string[];
}

type MeetingPosting = Posting & MeetingNote;

/** Lists of meetings with one address or domain. Instead of more, all meetings of the mailboxes are looked through. */
const MOST_LISTS = 1_000;

const allMeetings = Object.keys(LENGTHS).map((length) => eventLists.length(length as Length));

function meetingLists({ telling, addresses, domains }: Invited) {
  const lists = [...addresses.map(eventLists.with), ...domains.map(eventLists.at)];
  if (lists.length <= allMeetings.length || telling.size * lists.length <= MOST_LISTS) return { lists };
  const [people, places] = [new Set(addresses), new Set(domains)];
  const isInvited = (address: string) => people.has(address) || places.has(domainOf(address));
  return { lists: allMeetings, keeps: (meeting: MeetingPosting) => meeting.addresses.some(isInvited) };
}

/** Events that have begun, without occurrences that nobody changed: these have no lists. */
export function hiddenEventsOf(
  ctx: TimelineContext,
  asked: Invited,
  { upto, wanted }: Range,
): Source<Posting> {
  const before = `${VALUED}${timeRank(Math.min(upto, ctx.now.getTime()) + 1)}`;
  const { lists, ...filter } = meetingLists(asked);
  const ranges = [...asked.telling.keys()].flatMap((owner) =>
    lists.map((list) => ({ owner, list: listName(eventIndex.type, 'starts_at', list), before })),
  );
  const found = readAll<MeetingPosting>(ctx, ranges, { wanted, ...filter });
  return {
    async next() {
      const posting = await found.next();
      return posting && candidateOf(idOf(posting.SK), momentIn(posting.SK), posting);
    },
    async show(candidates) {
      const refs = candidates.map(({ id }) => ({ type: 'calendar_events' as const, id }));
      const [hidden, own] = await Promise.all([hiddenAmong(ctx, refs), notElsewhere(ctx, candidates)]);
      return shownById(hidden.filter(({ interaction_id }) => own.has(interaction_id)));
    },
  };
}
