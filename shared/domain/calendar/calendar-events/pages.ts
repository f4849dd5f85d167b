import type { Position } from '#shared/domain/collaboration/record-lists/both-ways.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { readMoment } from '#shared/moments.ts';
import type { CalendarEvent } from './event.ts';
import { type EventFilters, eventCriteria } from './filters.ts';
import { EventList, type Place } from './find.ts';
import { windowOf } from './window.ts';

/** Pages of a request. All pages of a list have the moment of its first one. */

interface Asked {
  tags: Promise<TagDictionary>;
  position: Position;
  limit: number;
}

const written = (moment: number, place: Place | null) =>
  place && [moment, place.segment, place.bound].join(' ');

/** A position of our own: cursors are signed. */
function read(position: string): { moment: number; place: Place } {
  const [moment, segment, bound = ''] = position.split(' ');
  return { moment: Number(moment), place: { segment: Number(segment), bound } };
}

function readPosition(position: Position, now: Date) {
  if (position === undefined) return { moment: now.getTime(), place: undefined };
  if ('after' in position) {
    const { moment, place } = read(position.after);
    return { moment, place: { after: place } };
  }
  const { moment, place } = read(position.before);
  return { moment, place: { before: place } };
}

/** 404 for a filter that names a record which the caller does not see. */
export async function findEvents(
  ctx: CallerContext,
  filters: EventFilters,
  { tags, position, limit }: Asked,
): Promise<{ rows: CalendarEvent[]; next: string | null; prev: string | null }> {
  const { moment, place } = readPosition(position, ctx.now);
  const at = (sent: string | undefined) =>
    sent === undefined ? undefined : readMoment(sent, ctx.caller.user.time_zone).getTime();
  const { slice, starts_after, starts_before } = filters;
  const asked = { slice, starts_after: at(starts_after), starts_before: at(starts_before) };
  const criteria = await eventCriteria(ctx, filters, tags);
  // Today and this week are those of the first page as well.
  const then = { caller: ctx.caller, now: new Date(moment) };
  const list = new EventList(ctx, windowOf(asked, then, moment), criteria);
  const { rows, next, prev } = await list.page(place, limit);
  return { rows, next: written(moment, next), prev: written(moment, prev) };
}
