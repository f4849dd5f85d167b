import { isDeepStrictEqual } from 'node:util';
import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField, recordNotFound } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { CalendarEvent, EventChanges, OwnField, Scope } from './event.ts';
import { fieldsOf } from './inherited.ts';
import { type Found, withSeries } from './load.ts';
import { checkedSeries } from './occurrences.ts';
import { requireChangeableEvent, requireChangeableScope, requirePrivacyRight } from './policy.ts';
import { withSent } from './sent.ts';
import { changedWhole, changeSeriesFrom } from './series.ts';
import { changeFollowing } from './split.ts';
import { wholeChange } from './whole-change.ts';
import { eventChange, seriesAsRead, storable } from './writes.ts';

type Ctx = CallerContext<KeepsLists>;

const ownFields = Object.keys(fieldsOf) as OwnField[];

/** What of an occurrence a request makes different from its series. */
export const madeOwn = (before: CalendarEvent, after: CalendarEvent) =>
  ownFields.filter((name) => fieldsOf[name].some((field) => !isDeepStrictEqual(before[field], after[field])));

async function changeOccurrence(ctx: Ctx, found: Found, changes: EventChanges): Promise<CalendarEvent> {
  const { event, series } = found;
  if (changes.recurrence !== undefined)
    throw invalidField('recurrence', 'invalid', 'belongs to the series: send scope all or following');
  const wanted = await withSent(ctx, event, changes, event);
  const made = madeOwn(event, wanted);
  if (made.length === 0 || !series) return event;
  const before = found.stored ?? storable(event, ctx.now);
  const values = made.flatMap((name) => fieldsOf[name].map((field) => [field, wanted[field]]));
  const own = [...new Set([...(before.own ?? []), ...made])];
  // Its series may have the later change of the two, and readers see the later one.
  const after = { ...before, ...Object.fromEntries(values), own, updated_at: nextMoment(event, ctx.now) };
  await commit(ctx, together(await eventChange(ctx, found, after), seriesAsRead(found)));
  return withSeries(after, series);
}

/** A single event, or a series by its own id. */
async function changeWhole(ctx: Ctx, { event }: Found, changes: EventChanges): Promise<CalendarEvent> {
  const wanted = await withSent(ctx, event, changes, event);
  const whole = await changedWhole(ctx, event, wanted, changes);
  const after = afterChange(event, checkedSeries(whole), ctx.now);
  await commit(ctx, await wholeChange(ctx, event, after));
  return after;
}

/** What `make` makes of an event with an item of its own. 404 and 403 as for an update. */
export async function planEventChange(
  ctx: CallerContext,
  id: string,
  make: (before: CalendarEvent) => CalendarEvent,
): Promise<Plan<CalendarEvent>> {
  const { stored: before } = await requireChangeableEvent(ctx, id);
  if (!before) throw recordNotFound();
  const planned = afterChange(before, make(before), ctx.now);
  const found = { stored: before, series: undefined };
  return { before, after: planned, change: (after = planned) => eventChange(ctx, found, after) };
}

/** 404 for an event that the caller does not see, 403 for one, or for a series, that the caller may not change. */
export function updateEvent(
  ctx: Ctx,
  id: string,
  { changes, scope }: { changes: EventChanges; scope: Scope },
): Promise<CalendarEvent> {
  return retryOnConflict(async () => {
    const found = await requireChangeableScope(ctx, id, scope);
    requirePrivacyRight(ctx.caller, found.event, changes.private);
    if (!found.series) return changeWhole(ctx, found, changes);
    if (scope === 'this') return changeOccurrence(ctx, found, changes);
    requirePrivacyRight(ctx.caller, found.series, changes.private);
    if (scope === 'all') return changeSeriesFrom(ctx, found, changes);
    return changeFollowing(ctx, found, changes);
  });
}
