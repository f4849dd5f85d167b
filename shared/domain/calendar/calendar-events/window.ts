import { clockIn, startOfToday, startOfTomorrow, startOfWeek } from '#shared/days.ts';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { VALUED } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { timeRank } from '#shared/table/keys.ts';
import type { CalendarEvent } from './event.ts';
import { eventLists, LENGTHS } from './lists.ts';

/** The time that a list of events is about (docs/specification/calendar.md, "Lists of events"). In milliseconds. */

export const slices = ['today', 'week', 'upcoming', 'past', 'shared'] as const;

export type Slice = (typeof slices)[number];

interface Asked {
  slice?: Slice | undefined;
  starts_after?: number | undefined;
  starts_before?: number | undefined;
}

/** A part of the list: the events that are over at a moment, or those that are not. */
export interface Segment {
  /** They end later than this, and no later than that. */
  ends_after: number;
  ends_by: number;
  starts_before: number;
  /** Occurrences of series start before this. */
  horizon: number;
}

/** What a list shows: its segments in the order of time, and the one with its first page. */
export interface Window {
  segments: Segment[];
  first: number;
  onwards: 'asc' | 'desc';
}

const NEVER = Number.POSITIVE_INFINITY;

function inAYear(moment: number, years: 1 | -1): number {
  return clockIn('UTC', new Date(moment)).add({ years }).epochMilliseconds;
}

const BEGINNING = -62_135_596_800_000;
const LAST = 253_402_300_799_999;

const horizonFrom = (moment: number, before: number) =>
  before < NEVER ? before : moment > LAST - 366 * 86_400_000 ? LAST : inAYear(Math.max(moment, BEGINNING), 1);

/** From a moment on, and before it when the list goes back. */
function around(moment: number, before: number, goesBack: boolean): Window {
  const horizon = horizonFrom(moment, before);
  const coming: Segment = { ends_after: moment, ends_by: NEVER, starts_before: before, horizon };
  if (!goesBack) return { segments: [coming], first: 0, onwards: 'asc' };
  return { segments: [{ ...coming, ends_after: -NEVER, ends_by: moment }, coming], first: 1, onwards: 'asc' };
}

/** `moment` is where a list without a window begins. */
export function windowOf(
  { slice, starts_after, starts_before = NEVER }: Asked,
  { now, caller: { user } }: Pick<CallerContext, 'now' | 'caller'>,
  moment: number,
): Window {
  const from = (start: number) => Math.max(start, starts_after ?? start);
  const { time_zone } = user;
  if (slice === 'today') {
    const end = Math.min(startOfTomorrow(now, time_zone), starts_before);
    return around(from(startOfToday(now, time_zone)), end, false);
  }
  if (slice === 'week') {
    const start = startOfWeek(now, time_zone, user.week_starts_on);
    const end = clockIn(time_zone, new Date(start)).add({ days: 7 }).startOfDay().epochMilliseconds;
    return around(from(start), Math.min(end, starts_before), false);
  }
  if (slice === 'upcoming') return around(from(moment), starts_before, false);
  if (slice === 'past') {
    const over = { ends_after: from(inAYear(moment, -1)), ends_by: moment, starts_before, horizon: moment };
    return { segments: [over], first: 0, onwards: 'desc' };
  }
  if (starts_after === undefined && starts_before < NEVER) return around(-NEVER, starts_before, false);
  return around(starts_after ?? moment, starts_before, true);
}

export const isWithin =
  ({ ends_after, ends_by, starts_before, horizon }: Segment) =>
  ({
    starts_at,
    ends_at,
    recurring_event_id,
  }: Pick<CalendarEvent, 'starts_at' | 'ends_at' | 'recurring_event_id'>) => {
    const [starts, ends] = [Date.parse(starts_at), Date.parse(ends_at)];
    const near = recurring_event_id === null || starts < horizon;
    return ends > ends_after && ends <= ends_by && starts < starts_before && near;
  };

const rank = (moment: number) => `${VALUED}${timeRank(moment)}`;

/** How the stored events of a segment are found: by their lengths, which say how long before it they may have begun. */
export function segmentCriteria(segment: Segment): Criterion<CalendarEvent>[] {
  const keeps = isWithin(segment);
  const { ends_after, ends_by, starts_before } = segment;
  const parts = Object.entries(LENGTHS).map(([length, longest]) => ({
    list: eventLists.length(length as keyof typeof LENGTHS),
    order: 'starts_at',
    from: rank(ends_after - longest),
  }));
  const before = Math.min(starts_before, ends_by);
  return [
    { parts, keeps },
    ...(before < NEVER ? [{ range: { order: 'starts_at', before: rank(before) }, keeps: () => true }] : []),
  ];
}
