import { Temporal } from 'temporal-polyfill';
import { clockIn } from '#shared/days.ts';
import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField } from '#shared/errors.ts';
import { endedSeries } from './ended.ts';
import type { CalendarEvent, EventChanges, OwnField } from './event.ts';
import { pagesOfOccurrences } from './exceptions.ts';
import { changedMeeting } from './imported/first.ts';
import { daysOf, type Found, isSeries, ownAmong, plainOccurrence, withSeries } from './load.ts';
import { type Beginning, daysBetween, movedLines } from './moved-lines.ts';
import { checkedSeries, type Times } from './occurrences.ts';
import { namesDays, readRecurrence } from './recurrence.ts';
import { withSent } from './sent.ts';
import { sendsTimes } from './times.ts';
import { seriesChange } from './writes.ts';

/** Changes of a whole series. Its exceptions keep what they have of their own. */

const beginningOf = ({ starts_at, time_zone, all_day }: Times): Beginning => {
  const zone = time_zone ?? 'UTC';
  return { zone, first: clockIn(zone, new Date(starts_at)).toPlainDateTime(), all_day };
};

/**
 * The series after a change of its times. When it moves, so do the dates that it names and the end of its rule, and its
 * occurrences keep their ids. 400 when its rule names other days.
 */
export function movedSeries(
  before: CalendarEvent,
  after: CalendarEvent,
  changes: EventChanges,
): CalendarEvent {
  if (!sendsTimes(changes)) return after;
  const [from, to] = [beginningOf(before), beginningOf(after)];
  const days = daysBetween(from, to);
  const moved = days === 0 ? after : { ...after, shift_days: (before.shift_days ?? 0) + days };
  if (changes.recurrence !== undefined || after.recurrence === null) return moved;
  const { rule } = readRecurrence(after.recurrence, to.zone);
  if (days !== 0 && namesDays(rule))
    throw invalidField(
      'starts_at',
      'invalid',
      'is another day than the rule names: send the recurrence as well',
    );
  return { ...moved, recurrence: movedLines(after.recurrence, from, to) };
}

/** A single event, or a series with all that a change of it moves, and that a change which ends it leaves. */
export async function changedWhole(
  { table }: CallerContext,
  before: CalendarEvent,
  after: CalendarEvent,
  changes: EventChanges,
): Promise<CalendarEvent> {
  if (!isSeries(before)) return after;
  return endedSeries(movedSeries(before, after, changes), pagesOfOccurrences(table, before.id));
}

/** The times of the first occurrence when this one should have these. */
function timesOfFirst(series: CalendarEvent, plain: Times, wanted: Times): Times {
  const zone = wanted.time_zone ?? daysOf(series).zone;
  const day = daysOf(series)
    .first.toPlainDate()
    .add({ days: daysBetween(beginningOf(plain), beginningOf(wanted)) });
  const length = Date.parse(wanted.ends_at) - Date.parse(wanted.starts_at);
  const common = { all_day: wanted.all_day, time_zone: zone };
  const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
  if (wanted.starts_on !== null && wanted.ends_on !== null) {
    const end = day.add(Temporal.PlainDate.from(wanted.starts_on).until(wanted.ends_on));
    const at = (each: Temporal.PlainDate) => iso(each.toZonedDateTime(zone).epochMilliseconds);
    const [starts_on, ends_on] = [day.toString(), end.toString()];
    return { ...common, starts_at: at(day), ends_at: at(end), starts_on, ends_on };
  }
  const time = clockIn(zone, new Date(wanted.starts_at)).toPlainTime();
  const start = day.toPlainDateTime(time).toZonedDateTime(zone).epochMilliseconds;
  return { ...common, starts_at: iso(start), ends_at: iso(start + length), starts_on: null, ends_on: null };
}

/** What an occurrence has of its own still when its series gets what was sent. */
export const ownBesides = ({ own = [] }: Pick<CalendarEvent, 'own'>, changes: EventChanges): OwnField[] =>
  own.filter((name) => !ownAmong(changes).includes(name));

/** Changes the series of an occurrence, which has nothing of its own afterwards of what was sent. */
export async function changeSeriesFrom(
  ctx: CallerContext<KeepsLists>,
  { event, stored, series: before }: Found,
  changes: EventChanges,
): Promise<CalendarEvent> {
  const series = before as CalendarEvent;
  const key = event.original_key ?? '';
  const plain = plainOccurrence(series, key);
  const wanted = await withSent(ctx, event, changes, event);
  const { starts_at, ends_at, all_day, starts_on, ends_on, time_zone, ...others } = changes;
  const sent = await withSent(ctx, series, others, series);
  const times = sendsTimes(changes) ? timesOfFirst(series, plain, wanted) : {};
  const whole = await changedWhole(ctx, series, { ...sent, ...times }, changes);
  const changed = afterChange(series, checkedSeries(whole), ctx.now);
  const { after, writes } = await changedMeeting(ctx, series, changed);
  const followed = stored && afterChange(stored, { ...stored, own: ownBesides(stored, changes) }, ctx.now);
  const pairs = [
    { before: series, after },
    ...(stored && followed ? [{ before: stored, after: followed }] : []),
  ];
  await commit(ctx, together(seriesChange(pairs, ctx.now), writes));
  return followed ? withSeries(followed, after) : plainOccurrence(after, key);
}
