import { listName } from '#shared/domain/collaboration/record-lists/entry.ts';
import { idOf, rankedValue, VALUED } from '#shared/domain/collaboration/record-lists/ranks.ts';
import { isCurrent } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { type OwnedRange, readRange } from '#shared/domain/platform/postings/reader.ts';
import { keys, rankedTime, timeRank } from '#shared/table/keys.ts';
import { accessTo, seesDetails } from './access.ts';
import type { CalendarEvent } from './event.ts';
import { occurrencesIn } from './expand.ts';
import { readSeries } from './find.ts';
import { addressesOf, eventIndex, eventLists, LENGTHS, type MeetingNote } from './lists.ts';
import { whole } from './load.ts';
import { isWithin, type Segment, windowOf } from './window.ts';

/**
 * With whom the caller met, from the postings of events alone: those in lists of mailboxes belong to whoever reads the
 * mailbox, and only what is in the caller's own lists, invitations and shares, is read and checked.
 */

type MeetingPosting = Posting & MeetingNote;

/** A meeting that is over. */
interface Met {
  addresses: string[];
  starts: number;
}

const rank = (moment: number) => `${VALUED}${timeRank(moment)}`;

/** Of one owner, of the segment. */
async function readOwner(
  { table }: CallerContext,
  owner: string,
  { ends_after, ends_by }: Segment,
): Promise<MeetingPosting[]> {
  const ranges = Object.entries(LENGTHS).map(
    ([length, longest]): OwnedRange<MeetingPosting> => ({
      owner,
      list: listName(eventIndex.type, 'starts_at', eventLists.length(length as keyof typeof LENGTHS)),
      from: rank(ends_after - longest),
      before: rank(ends_by + 1),
    }),
  );
  const postings = (await Promise.all(ranges.map((range) => readRange(table, range)))).flat();
  return postings.filter(({ ends }) => ends > ends_after && ends <= ends_by);
}

const metAt = ({ SK, addresses }: MeetingPosting): Met => ({
  addresses,
  starts: rankedTime(rankedValue(SK)),
});

const metIn = (event: CalendarEvent): Met => ({
  addresses: addressesOf(event),
  starts: Date.parse(event.starts_at),
});

/** In the calendars of mailboxes that the caller reads: of private events only in the caller's own. */
async function inMailboxes(ctx: CallerContext, segment: Segment): Promise<MeetingPosting[]> {
  const { mailboxes } = ctx.caller.user;
  const each = Object.keys(mailboxes).map(async (id) => {
    const postings = await readOwner(ctx, id, segment);
    return mailboxes[id] === 'owner' ? postings : postings.filter((posting) => !posting.private);
  });
  return (await Promise.all(each)).flat();
}

/** Of these events, stored ones, those that the caller sees as more than when they are. */
async function seenAmong(ctx: CallerContext, segment: Segment, ids: string[]): Promise<CalendarEvent[]> {
  const { table, caller } = ctx;
  const stored = await table.getMany<CalendarEvent>(ids.map((id) => keys.record('calendar_events', id)));
  const within = isWithin(segment);
  return (await whole(table, stored)).filter(
    (event) =>
      isCurrent(event, caller) &&
      accessTo(caller.user, event) &&
      seesDetails(caller.user, event) &&
      within(event),
  );
}

/** Single events and stored occurrences: also those to which the caller is invited, or which are shared. */
async function single(ctx: CallerContext, segment: Segment): Promise<Met[]> {
  const [postings, own] = await Promise.all([
    inMailboxes(ctx, segment),
    readOwner(ctx, ctx.caller.user.id, segment),
  ]);
  const known = new Set(postings.map(({ SK }) => idOf(SK)));
  const others = own.map(({ SK }) => idOf(SK)).filter((id) => !known.has(id));
  return [...postings.map(metAt), ...(await seenAmong(ctx, segment, others)).map(metIn)];
}

/** The last occurrence of each series, among those that nothing is stored of. */
async function repeated(ctx: CallerContext, segment: Segment): Promise<CalendarEvent[]> {
  const series = await readSeries(ctx, segment.ends_after);
  const last = { segment, order: 'desc' as const, after: undefined, limit: 1 };
  return series
    .filter((each) => seesDetails(ctx.caller.user, each))
    .flatMap((each) => occurrencesIn(each, last).slice(0, 1));
}

/** By address: when the last meeting began that is over; within a year, or since a moment, in milliseconds. */
export async function lastMeetings(ctx: CallerContext, since?: number): Promise<Map<string, number>> {
  const window = windowOf({ slice: 'past', starts_after: since }, ctx, ctx.now.getTime());
  const segment = window.segments[0] as Segment;
  const [events, occurrences] = await Promise.all([single(ctx, segment), repeated(ctx, segment)]);
  const last = new Map<string, number>();
  for (const { addresses, starts } of [...events, ...occurrences.map(metIn)])
    for (const address of addresses)
      last.set(address, Math.max(starts, last.get(address) ?? Number.NEGATIVE_INFINITY));
  return last;
}
