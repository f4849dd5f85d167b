import { begun } from '#shared/begun.ts';
import {
  presentTags,
  type TagDictionary,
  tagDictionary,
  tagsFor,
} from '#shared/domain/collaboration/tags/store.ts';
import { type Places, placesIn } from '#shared/domain/crm/pipelines/places.ts';
import { listPipelines } from '#shared/domain/crm/pipelines/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { type Deal, type DealRecord, dealRecord } from './deal.ts';
import { namesIn } from './people.ts';

/** Deals as responses show them. */

export const readPlaces = async (ctx: CallerContext): Promise<Places> => placesIn(await listPipelines(ctx));

/** A stage may be newer than `known`. Throws ConditionFailed for a deal that was read before its stage ended. */
async function placesOf(ctx: CallerContext, deals: Deal[], known: Promise<Places> | Places): Promise<Places> {
  const isKnown = (places: Places) => deals.every(({ stage_id }) => places.has(stage_id));
  const places = await known;
  if (isKnown(places)) return places;
  const now = await readPlaces(ctx);
  if (!isKnown(now)) throw new ConditionFailed(undefined);
  return now;
}

interface Surroundings {
  tags: Promise<TagDictionary>;
  places: Promise<Places> | Places;
}

/** For deals that are not read yet: read at once, with the first of them. */
export const aroundDeals = (ctx: CallerContext) => ({
  tags: begun(tagDictionary(ctx.table, ctx.caller.account.id)),
  places: begun(readPlaces(ctx)),
});

/** As the caller sees them in a list. */
export async function presentDeals(
  ctx: CallerContext,
  deals: Deal[],
  { tags, places: known }: Surroundings,
): Promise<DealRecord[]> {
  const [dictionary, places, names] = await Promise.all([
    tags,
    placesOf(ctx, deals, known),
    namesIn(ctx, deals),
  ]);
  return deals.map((deal) =>
    dealRecord(deal, { tags: presentTags(dictionary, deal.tag_ids ?? []), places, names }),
  );
}

export async function presentDeal(
  ctx: CallerContext,
  { deal, places }: { deal: Deal; places: Places | Promise<Places> },
): Promise<DealRecord> {
  const tags = tagsFor(ctx, [deal]);
  const [record] = await presentDeals(ctx, [deal], { tags, places });
  return record as DealRecord;
}
