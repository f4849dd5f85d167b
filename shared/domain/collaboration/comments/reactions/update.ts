import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustExist } from '#shared/table/table.ts';
import { requireOwnReaction } from '../policy.ts';
import type { Reaction } from '../reaction.ts';

/** 404 for another user's reaction. */
export function updateReaction(
  ctx: CallerContext<SeesRecords>,
  comment_id: string,
  id: string,
  { text }: { text: string },
): Promise<Reaction> {
  const { table } = ctx;
  return retryOnConflict(async () => {
    const { reaction } = await requireOwnReaction(ctx, comment_id, id);
    return table.update<Reaction>({ PK: reaction.PK, SK: reaction.SK }, { set: { text }, when: mustExist });
  });
}
