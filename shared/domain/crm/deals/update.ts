import { checkedBy, fieldsToCheck } from '#shared/domain/collaboration/custom-fields/check.ts';
import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { commitPlan } from '#shared/domain/collaboration/records/plan.ts';
import { requireVisibilityRight } from '#shared/domain/collaboration/records/policy.ts';
import type { AccountPipelines } from '#shared/domain/crm/pipelines/pipeline.ts';
import { placesIn } from '#shared/domain/crm/pipelines/places.ts';
import { readPipelines } from '#shared/domain/crm/pipelines/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { noChange } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField } from '#shared/errors.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import type { Deal, DealChanges, DealPlan, PlacedDeal } from './deal.ts';
import { withMove } from './place.ts';
import { requireEditableDeal } from './policy.ts';
import { withSent } from './sent.ts';
import { dealChange } from './writes.ts';

/**
 * What `make` makes of a deal. 404 for one that the caller does not see, 403 for one that the caller may only look at, or
 * may not make private; 400 for custom fields that are not as defined.
 */
async function planDealChange(
  ctx: CallerContext<SeesRecords>,
  id: string,
  make: (before: Deal, all: AccountPipelines) => Deal | Promise<Deal>,
): Promise<DealPlan> {
  const [before, all, fields] = await Promise.all([
    requireEditableDeal(ctx, id),
    readPipelines(ctx),
    fieldsToCheck(ctx, 'deals'),
  ]);
  const places = placesIn(all);
  // Its stage is newer than the pipelines that were read.
  if (!places.has(before.stage_id)) throw new ConditionFailed(undefined);
  const made = await make(before, all);
  requireVisibilityRight(before, ctx.caller.user, made.visibility);
  const changed = withMove(before, afterChange(before, made, ctx.now));
  const planned = checkedBy(fields, before, changed);
  return {
    before,
    after: planned,
    places,
    change: async (after = planned) =>
      after === before ? noChange : dealChange(ctx, { before, after, places }),
  };
}

/** As in `planDealChange` and `withSent`, with changes that follow from the deal and the pipelines. */
export const planDealUpdateBy = (
  ctx: CallerContext<SeesRecords>,
  id: string,
  changesOf: (before: Deal, all: AccountPipelines) => DealChanges | Promise<DealChanges>,
) => planDealChange(ctx, id, async (before, all) => withSent(ctx, before, await changesOf(before, all), all));

/** As in `planDealUpdateBy`. */
export const planDealUpdate = (ctx: CallerContext<SeesRecords>, id: string, changes: DealChanges) =>
  planDealUpdateBy(ctx, id, () => changes);

/** Puts earlier values back: 400 for a stage that is gone, or closes or opens deals since. */
export const planRestoredDeal = (
  ctx: CallerContext<SeesRecords>,
  id: string,
  restore: (before: Deal) => Deal,
): Promise<DealPlan> =>
  planDealChange(ctx, id, (before, { pipelines }) => {
    const restored = restore(before);
    const stages = pipelines.flatMap((pipeline) => pipeline.stages);
    const there = stages.some(({ id, kind }) => id === restored.stage_id && kind === restored.status);
    if (before.stage_id !== restored.stage_id && !there)
      throw invalidField('stage_id', 'invalid', 'is another stage now');
    return restored;
  });

/** As in `planDealUpdate`; 409 `external_id_taken`. */
export async function updateDeal(
  ctx: CallerContext<SeesRecords & KeepsLists>,
  id: string,
  changes: DealChanges,
): Promise<PlacedDeal> {
  const { after, places } = await commitPlan(ctx, () => planDealUpdate(ctx, id, changes));
  return { deal: after, places };
}
