import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { ShowsReplies } from '#shared/domain/collaboration/replies/present.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { listTasksOf } from '#shared/domain/work/tasks/store.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { DealRecord } from './deal.ts';
import { requireDeal } from './policy.ts';
import { presentDeal, readPlaces } from './store.ts';

/** With its comments and its tasks. 404 for a deal that the caller does not see. */
export function retrieveDeal(
  ctx: CallerContext<SeesRecords & ShowsReplies>,
  id: string,
): Promise<DealRecord> {
  return retryOnConflict(async () => {
    const stored = await requireDeal(ctx, id);
    const ref = { type: 'deals' as const, id: stored.id };
    const [deal, comments, tasks] = await Promise.all([
      presentDeal(ctx, { deal: stored, places: readPlaces(ctx) }),
      listRecordComments(ctx, ref),
      listTasksOf(ctx, ref),
    ]);
    return { ...deal, comments, tasks };
  });
}
