import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustExist } from '#shared/table/table.ts';
import { requireOwnReaction } from '../policy.ts';
import { counted } from './count.ts';

/** 404 for another user's reaction. */
export function removeReaction(
  ctx: CallerContext<SeesRecords>,
  comment_id: string,
  id: string,
): Promise<void> {
  const { table } = ctx;
  return retryOnConflict(async () => {
    const { pointer, reaction } = await requireOwnReaction(ctx, comment_id, id);
    await table.transact([
      { delete: { PK: reaction.PK, SK: reaction.SK }, when: mustExist },
      counted(comment_id, pointer, ctx.caller.user.id, -1),
    ]);
  });
}
