import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { requireVisibilityRight } from '#shared/domain/collaboration/records/policy.ts';
import { placesIn } from '#shared/domain/crm/pipelines/places.ts';
import { readPipelines } from '#shared/domain/crm/pipelines/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import type { DealChanges, PlacedDeal } from './deal.ts';
import { withMoveTime } from './place.ts';
import { requireEditableDeal } from './policy.ts';
import { withSent } from './sent.ts';
import { dealChange } from './writes.ts';

/**
 * 404 for a deal that the caller does not see, 403 for one that the caller may only look at; else as in `withSent`; 409
 * `external_id_taken`.
 */
export function updateDeal(
  ctx: CallerContext<SeesRecords & KeepsLists>,
  id: string,
  changes: DealChanges,
): Promise<PlacedDeal> {
  return retryOnConflict(async () => {
    const [before, all] = await Promise.all([requireEditableDeal(ctx, id), readPipelines(ctx)]);
    if (changes.visibility !== undefined) requireVisibilityRight(before, ctx.caller.user, changes.visibility);
    const places = placesIn(all);
    // Its stage is newer than the pipelines that were read.
    if (!places.has(before.stage_id)) throw new ConditionFailed(undefined);
    const changed = afterChange(before, await withSent(ctx, before, changes, all), ctx.now);
    const after = withMoveTime(before, changed);
    if (after !== before) await commit(ctx, await dealChange(ctx, { before, after, places }));
    return { deal: after, places };
  });
}
