import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { upsert } from '#shared/domain/collaboration/records/upsert.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { planDeal } from './create.ts';
import type { DealDraft, DealPlan } from './deal.ts';
import { requireDeal } from './policy.ts';
import { planDealUpdate } from './update.ts';
import { externalIds } from './writes.ts';

/** Creates a deal, or changes the one with this external id. As in `upsert`, `planDeal` and `planDealUpdate`. */
export const upsertDeal = (
  ctx: CallerContext<SeesRecords & KeepsLists>,
  draft: DealDraft,
): Promise<DealPlan> =>
  upsert(ctx, {
    external_ids: externalIds,
    external_id: draft.external_id,
    create: () => planDeal(ctx, draft),
    update: (id) => planDealUpdate(ctx, id, draft),
    require: (id) => requireDeal(ctx, id),
  });
