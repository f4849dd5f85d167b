import { announceDeletion } from '#shared/domain/collaboration/life/end.ts';
import { unlinkRow } from '#shared/domain/collaboration/record-lists/linked.ts';
import { recordDeletion } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, commit, together } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type AllOf, missing } from '#shared/table/table.ts';
import { owedToServer } from './at-server.ts';
import type { CalendarEvent, Scope } from './event.ts';
import { freedMeeting } from './imported/first.ts';
import { eventIndex } from './lists.ts';
import type { Found } from './load.ts';
import { requireChangeableEvent, requireChangeableScope } from './policy.ts';
import { cutAt, earlierPart, laterExceptions } from './split.ts';
import { eventChange, eventRef, seriesAsRead, seriesChange, setApart, storable } from './writes.ts';

type Ctx = CallerContext<KeepsLists>;

async function wholeDeletion(ctx: CallerContext, event: CalendarEvent): Promise<Change> {
  const change = await recordDeletion(ctx, eventIndex, event, freedMeeting(ctx.table, event));
  return together(change, owedToServer([event], ctx.now));
}

/** One occurrence: its series goes on without it. */
async function occurrenceDeletion(ctx: Ctx, { event, stored, series }: Found): Promise<Change> {
  if (!series) return together();
  const unlinked = unlinkRow(eventRef(event.id), eventRef(series.id));
  const owed = owedToServer([series], ctx.now);
  if (stored) {
    const besides = [unlinked, ...seriesAsRead({ stored, series })];
    return together(await recordDeletion(ctx, eventIndex, stored, besides), owed);
  }
  const updated_at = nextMoment(series, ctx.now);
  return together([setApart(series, event.original_key ?? '', { updated_at })], owed);
}

/** An occurrence and all that follow it; a series of none ends as a whole. */
async function followingDeletion(ctx: Ctx, found: Found): Promise<Change> {
  const cut = cutAt(found);
  if (cut.earlier === 0) return wholeDeletion(ctx, cut.series);
  const exceptions = await laterExceptions(ctx.table, cut);
  const ended = exceptions.map(({ id }) => announceDeletion(eventRef(id), ctx.now));
  const unlinked = exceptions.map(({ id }) => unlinkRow(eventRef(id), eventRef(cut.series.id)));
  const pair = { before: cut.series, after: earlierPart(cut, ctx.now) };
  return together(seriesChange([pair], ctx.now), ...ended, unlinked);
}

/** A whole event that nobody has recorded or prepared. */
export async function eventDeletion(
  ctx: CallerContext,
  event: CalendarEvent,
  further: AllOf<CalendarEvent>,
): Promise<Change> {
  const unused = { ...further, transcript: null, brief: missing };
  const change = await recordDeletion(ctx, eventIndex, event, freedMeeting(ctx.table, event), unused);
  return together(change, owedToServer([event], ctx.now));
}

/** What deletes an event as a request does. */
export function deletionOf(ctx: Ctx, found: Found, scope: Scope): Promise<Change> {
  const { stored, series } = found;
  if (!series) return wholeDeletion(ctx, stored as CalendarEvent);
  if (scope === 'all') return wholeDeletion(ctx, series);
  return scope === 'this' ? occurrenceDeletion(ctx, found) : followingDeletion(ctx, found);
}

/** With an item, which rests when it is deleted: an occurrence without one could not be restored. */
async function kept(ctx: Ctx, found: Found): Promise<Found> {
  if (found.stored || !found.series) return found;
  const { created_at, id } = found.event;
  // As old as its series, so it keeps the version that a client may expect.
  await commit(ctx, await eventChange(ctx, found, { ...storable(found.event, ctx.now), created_at }));
  return requireChangeableEvent(ctx, id);
}

/** 404 for an event that the caller does not see, 403 for one, or for a series, that the caller may not change. */
export function deleteEvent(ctx: Ctx, id: string, scope: Scope): Promise<void> {
  return retryOnConflict(async () => {
    const found = await requireChangeableScope(ctx, id, scope);
    await commit(ctx, await deletionOf(ctx, scope === 'this' ? await kept(ctx, found) : found, scope));
  });
}
