import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, together } from '#shared/domain/platform/jobs/commit.ts';
import type { CalendarEvent } from './event.ts';
import { changedMeeting } from './imported/first.ts';
import { isSeries } from './load.ts';
import { eventChange, seriesChange } from './writes.ts';

/** The change of a single event, or of a series as a whole. */
export async function wholeChange(
  ctx: CallerContext,
  before: CalendarEvent,
  wanted: CalendarEvent,
): Promise<Change> {
  const { after, writes } = await changedMeeting(ctx, before, wanted);
  const change =
    isSeries(before) || isSeries(after)
      ? seriesChange([{ before, after }], ctx.now)
      : await eventChange(ctx, { stored: before, series: undefined }, after);
  return together(change, writes);
}
