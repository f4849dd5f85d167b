import { Temporal } from 'temporal-polyfill';
import { inTransactions } from '#shared/domain/collaboration/life/dependent.ts';
import { linkRow, unlinkRow } from '#shared/domain/collaboration/record-lists/linked.ts';
import { type StoredShare, shareIdOf } from '#shared/domain/collaboration/shares/share.ts';
import { targetId } from '#shared/domain/collaboration/shares/target.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { resourceUrl } from './at-server.ts';
import { endedSeries, firstDay, firstDayIn } from './ended.ts';
import type { CalendarEvent, EventChanges } from './event.ts';
import { pagesOfOccurrences } from './exceptions.ts';
import { daysOf, type Found, plainOccurrence, withSeries } from './load.ts';
import { newEventId, type OccurrenceKey } from './occurrence-id.ts';
import { checkedSeries, type Day } from './occurrences.ts';
import { countOf, endingWith, onlyDays } from './recurrence.ts';
import { withSent } from './sent.ts';
import { changeSeriesFrom, movedSeries, ownBesides } from './series.ts';
import { eventRef, seriesChange } from './writes.ts';

/** Divides a series at one of its occurrences: the earlier ones stay, the others become a series of their own. */

/** Exceptions of the later part: one transaction has three writes for each. */
const MAX_MOVED = 25;

const { compare } = Temporal.PlainDate;

/** The occurrence at which a series is divided. */
export interface Cut {
  series: CalendarEvent;
  day: Day;
  /** Occurrences before it by the rule. */
  earlier: number;
}

const notHere = (why: string) => invalidField('scope', 'invalid', `cannot be following here: ${why}`);

/** 400 for a date that was added at another time: another occurrence may be earlier on the day. */
export function cutAt({ event, series: stored }: Found): Cut {
  if ((event.original_key?.length ?? 0) > 10) throw notHere('the series has this date at another time');
  const series = stored as CalendarEvent;
  const days = daysOf(series);
  const day = days.dayOf(event.original_key ?? '');
  const earlier = days.keysBetween(days.span.from, day.subtract({ days: 1 })).length;
  return { series, day, earlier };
}

const isLater = ({ series, day }: Cut, key: OccurrenceKey) => compare(daysOf(series).dayOf(key), day) >= 0;

const linesOn = (series: CalendarEvent, keeps: (day: Day) => boolean): string[] =>
  onlyDays(series.recurrence ?? [], daysOf(series).zone, keeps);

const isRule = (line: string) => line.startsWith('RRULE');

/** The first day always counts, unless it is left out: dates may be earlier. */
function earlierLines({ series, day }: Cut): string[] {
  const lines = linesOn(series, (each) => compare(each, day) < 0);
  if (compare(day, firstDay(series)) <= 0)
    return [...lines.filter((line) => !isRule(line)), firstDayIn('EXDATE', series)];
  if (lines.every((line) => line.startsWith('EXDATE'))) return [...lines, firstDayIn('RDATE', series)];
  const until = day.subtract({ days: 1 }).toString().replaceAll('-', '');
  return endingWith(lines, `UNTIL=${until}`);
}

/** What is left of the series before the day. */
export const earlierPart = (cut: Cut, now: Date): CalendarEvent =>
  checkedSeries({
    ...cut.series,
    recurrence: earlierLines(cut),
    updated_at: nextMoment(cut.series, now),
  });

/** The stored occurrences from the day on. 400 when they are too many for one transaction. */
export async function laterExceptions(table: Table, cut: Cut): Promise<CalendarEvent[]> {
  const found: CalendarEvent[] = [];
  for await (const stored of pagesOfOccurrences(table, cut.series.id)) {
    found.push(...stored.filter(({ original_key = '' }) => isLater(cut, original_key)));
    if (found.length > MAX_MOVED)
      throw invalidField('scope', 'invalid', `cannot be following: more than ${MAX_MOVED} exceptions follow`);
  }
  return found;
}

/** The rule counts on from the day. Days that it counts may be left out, so this asks the rule alone. */
function laterLines({ series, day }: Cut): string[] {
  const named = linesOn(series, (each) => compare(each, day) >= 0);
  const lines = compare(day, firstDay(series)) < 0 ? [...named, firstDayIn('RDATE', series)] : named;
  const count = countOf(lines);
  if (count === undefined) return lines;
  const rule = lines.filter(isRule);
  const counted = daysOf({ ...series, recurrence: rule });
  const before = counted.keysBetween(counted.span.from, day.subtract({ days: 1 })).length;
  return endingWith(lines, `COUNT=${Math.max(1, count - before)}`);
}

/** Shares open the later part as well; its tags, comments and tasks stay with the earlier one. */
function sharesOf({ series }: Cut, id: string): { shares: CalendarEvent['shares']; rows: Write[] } {
  const ref = eventRef(id);
  const all = Object.values(series.shares).map(
    (share): StoredShare => ({ ...share, id: shareIdOf(ref, targetId(share)) }),
  );
  const row = { account_id: series.account_id, record_type: ref.type, record_id: id };
  const rows = all.flatMap(({ group_id }) =>
    group_id === null ? [] : [{ put: { ...keys.groupShare(group_id, ref.type, id), ...row } }],
  );
  return { shares: Object.fromEntries(all.map((share) => [share.id, share])), rows };
}

/** With keys of its own: the days on which its occurrences are. */
function laterPart(cut: Cut, key: OccurrenceKey, now: Date): CalendarEvent {
  const { series } = cut;
  const { id, handle } = newEventId();
  const { tag_ids, brief, shift_days, apart, file, ...common } = series;
  const keyOf = (each: OccurrenceKey) => rekeyed(series, each);
  const left = [...(apart ?? [])].filter((each) => isLater(cut, each)).map(keyOf);
  return {
    ...common,
    ...daysOf(series).timesOf(key),
    ...keys.record('calendar_events', id),
    ...{ id, handle, ical_uid: id, transcript: null },
    ...(series.at_server === undefined ? {} : { at_server: resourceUrl(series.at_server, id) }),
    recurrence: laterLines(cut),
    ...(left.length > 0 ? { apart: new Set(left) } : {}),
    created_at: now.toISOString(),
    updated_at: null,
  };
}

const rekeyed = (series: CalendarEvent, key: OccurrenceKey) =>
  `${daysOf(series).dayOf(key).toString()}${key.slice(10)}`;

/**
 * Changes an occurrence and all that follow it. It has nothing of its own afterwards of what was sent. 400 for a date
 * besides the rule: its days would begin there.
 */
export async function changeFollowing(
  ctx: CallerContext<KeepsLists>,
  found: Found,
  changes: EventChanges,
): Promise<CalendarEvent> {
  const cut = cutAt(found);
  if (cut.earlier === 0) return changeSeriesFrom(ctx, found, changes);
  const { series } = cut;
  const key = found.event.original_key ?? '';
  if (!daysOf(series).goesOnFrom(key)) throw notHere('the rule of the series does not name this day');
  const exceptions = await laterExceptions(ctx.table, cut);
  const begun = laterPart(cut, key, ctx.now);
  const { shares, rows } = sharesOf(cut, begun.id);
  const wanted = await withSent(ctx, { ...begun, shares }, changes, found.event);
  const moved = exceptions.map((before) => ({
    before,
    after: {
      ...before,
      ...(before.id === found.event.id ? { own: ownBesides(before, changes) } : {}),
      recurring_event_id: begun.id,
      original_key: rekeyed(series, before.original_key ?? ''),
      updated_at: nextMoment(before, ctx.now),
    },
  }));
  const stored = moved.map(({ after }) => after);
  const later = checkedSeries(await endedSeries(movedSeries(begun, wanted, changes), [stored]));
  const pairs = [
    { before: series, after: earlierPart(cut, ctx.now) },
    { before: undefined, after: later },
    ...moved,
  ];
  const links = moved.flatMap(({ after: { id } }) => [
    unlinkRow(eventRef(id), eventRef(series.id)),
    linkRow(eventRef(id), eventRef(later.id)),
  ]);
  // A record may have as many groups as a transaction has items: their rows come before the series that they are about.
  for (const some of inTransactions(rows)) await ctx.table.transact(some);
  await commit(ctx, together(seriesChange(pairs, ctx.now), links));
  const own = moved.find(({ after }) => after.id === found.event.id)?.after;
  const newKey = rekeyed(series, key);
  return own ? withSeries(own, later) : plainOccurrence(later, newKey);
}
