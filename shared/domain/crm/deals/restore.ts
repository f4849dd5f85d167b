import type { Restorable } from '#shared/domain/collaboration/deletions/restorable.ts';
import { accessOf } from '#shared/domain/collaboration/records/policy.ts';
import type { AccountPipelines, Pipeline } from '#shared/domain/crm/pipelines/pipeline.ts';
import { type Place, placesIn } from '#shared/domain/crm/pipelines/places.ts';
import { readPipelines } from '#shared/domain/crm/pipelines/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Deal } from './deal.ts';
import { linkedDeals } from './dependent.ts';
import { dealIndex } from './lists.ts';
import { lastPosition, placed, withMove } from './place.ts';
import { requireEditableDeal } from './policy.ts';
import { stageMoveWrites } from './stage-history.ts';
import { besidesOf } from './writes.ts';

/** The pipelines in the order in which a deal looks for a stage: its own first, then the default one. */
function nearest({ order, pipelines }: AccountPipelines, { pipeline_id }: Deal): Pipeline[] {
  const first = [pipeline_id, order.default_id];
  return [...first.flatMap((id) => pipelines.filter((each) => each.id === id)), ...pipelines];
}

/**
 * In its stage, or what replaced it; else in the nearest stage of the kind, so that it stays open, won or lost. Where there
 * is none, in the nearest open one.
 */
function placeOf(all: AccountPipelines, deal: Deal): Place {
  const places = placesIn(all);
  const successors = all.pipelines.flatMap((each) => each.successors?.[deal.stage_id] ?? []);
  const near = nearest(all, deal).flatMap(({ stages }) => stages);
  const alike = [deal.status, 'open'].flatMap((kind) => near.filter((stage) => stage.kind === kind));
  const ids = [deal.stage_id, ...successors, ...alike.map(({ id }) => id)];
  // Every pipeline has an open stage.
  return places.get(ids.find((id) => places.has(id)) as string) as Place;
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
