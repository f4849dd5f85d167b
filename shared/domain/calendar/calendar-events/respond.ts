import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { CalendarEvent, StoredResponse } from './event.ts';
import { withSeries } from './load.ts';
import { requireInvitedTo } from './policy.ts';
import { withRoomForComments } from './room.ts';
import { eventChange, storable } from './writes.ts';

/** Stores the caller's answer to an invitation. 404 for a hidden event, 403 for one that does not invite the caller. */
export function respondToEvent(
  ctx: CallerContext<KeepsLists>,
  id: string,
  response: StoredResponse,
): Promise<CalendarEvent> {
  return retryOnConflict(async () => {
    const { found, email_address } = await requireInvitedTo(ctx, id);
    const { event, series } = found;
    const before = found.stored ?? storable(event, ctx.now);
    const answered = { ...before.responses, [email_address]: response };
    const responses = response.comment === null ? answered : withRoomForComments(answered, event.attendees);
    const after = afterChange(before, { ...before, responses }, ctx.now);
    await commit(ctx, await eventChange(ctx, found, after));
    return series ? withSeries(after, series) : after;
  });
}
