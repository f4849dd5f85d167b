import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import type { CalendarEvent } from './event.ts';
import { type Found, findVisibleEvent } from './load.ts';
import { eventChange, storable } from './writes.ts';

/** Stores an occurrence that has no item yet, before something is stored under it. */
export function keepEvent(ctx: CallerContext, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const found = await findVisibleEvent(ctx, id);
    if (!found || found.stored) return;
    await commit(ctx, await eventChange(ctx, found, storable(found.event, ctx.now)));
  });
}

/** An event that `require` allows, as it is stored; an occurrence without an item gets one. */
export async function requireStored(
  ctx: CallerContext,
  id: string,
  require: (ctx: CallerContext, id: string) => Promise<Found>,
): Promise<CalendarEvent> {
  const found = await require(ctx, id);
  if (found.stored) return found.stored;
  await keepEvent(ctx, id);
  const { stored } = await require(ctx, id);
  if (!stored) throw new ConditionFailed(undefined);
  return stored;
}
