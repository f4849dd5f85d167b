import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keyOf } from '#shared/table/keys.ts';
import { requireSubscription } from './policy.ts';

/** Also while the caller does not see the calendar. */
export async function deleteCalendarSubscription(
  ctx: CallerContext,
  user_id: string,
  id: string,
): Promise<void> {
  await ctx.table.delete(keyOf(await requireSubscription(ctx, user_id, id)));
}
