import type { Restorable } from '#shared/domain/collaboration/deletions/restorable.ts';
import { accessOf } from '#shared/domain/collaboration/records/policy.ts';
import type { AccountPipelines } from '#shared/domain/crm/pipelines/pipeline.ts';
import { placesIn } from '#shared/domain/crm/pipelines/places.ts';
import { readPipelines } from '#shared/domain/crm/pipelines/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Deal } from './deal.ts';
import { linkedDeals } from './dependent.ts';
import { dealIndex } from './lists.ts';
import { lastPosition, placed, placeFor, withMove } from './place.ts';
import { requireEditableDeal } from './policy.ts';
import { stageMoveWrites } from './stage-history.ts';
import { besidesOf } from './writes.ts';

/** In its stage, or what replaced it; else in the first open stage of its pipeline, or of the default one. */
function placeOf(all: AccountPipelines, { pipeline_id, stage_id }: Deal) {
  const there = all.pipelines.some(({ id }) => id === pipeline_id);
  return placesIn(all).get(stage_id) ?? placeFor(all, there ? { pipeline_id } : {});
}

async function inPlace(ctx: CallerContext, deal: Deal): Promise<Deal> {
  const place = placeOf(await readPipelines(ctx), deal);
  if (place.stage.id === deal.stage_id) return deal;
  const position = await lastPosition(ctx, place);
  return withMove(deal, { ...placed(deal, place, ctx.now), position });
}

export const restorableDeals: Restorable<Deal> = {
  index: dealIndex,
  links: [{ kind: 'link', linked: linkedDeals }],
  mayDelete: ({ caller: { user } }, deal) => accessOf(deal, user) === 'edit',
  require: requireEditableDeal,
  async back(ctx, deal) {
    const after = await inPlace(ctx, deal);
    return { after, writes: [...besidesOf(undefined, after), ...stageMoveWrites(ctx, deal, after)] };
  },
};
