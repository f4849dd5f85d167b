import { asOfNow, type Context } from '#shared/context.ts';
import { afterChange, recordChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { removeDealCount } from '#shared/domain/crm/pipelines/deals.ts';
import type { Pipeline } from '#shared/domain/crm/pipelines/pipeline.ts';
import { type Place, placesIn } from '#shared/domain/crm/pipelines/places.ts';
import type { ReplacedStage } from '#shared/domain/crm/pipelines/stages/delete.ts';
import { changePipeline } from '#shared/domain/crm/pipelines/writes.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { complete, dispatchAgain } from '#shared/domain/platform/jobs/job.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import type { Deal } from './deal.ts';
import { dealIndex } from './lists.ts';
import { placed, withMove } from './place.ts';
import { stageMoveWrites } from './stage-history.ts';
import { besidesOf } from './writes.ts';

/**
 * Moves the deals of a deleted stage to its replacement, one in each transaction, and then ends the stage. The
 * replacement is read again for every deal: it may be replaced meanwhile. Nobody is notified.
 */

type Ctx = Context<KeepsLists>;

/** Deals between two checks of the time. */
const PAGE = 25;

async function readPipeline({ table }: Ctx, { account_id, pipeline_id, stage_id }: ReplacedStage) {
  const pipeline = await table.get<Pipeline>(keys.pipeline(account_id, pipeline_id));
  return { pipeline, place: pipeline && placesIn({ pipelines: [pipeline] }).get(stage_id) };
}

/** Nobody moved them: timelines do not tell it. */
const { activity: _, ...untold } = dealIndex;

/** The deal may be moved or deleted meanwhile. */
async function moveDeal(ctx: Ctx, id: string, stage_id: string, place: Place): Promise<void> {
  const before = await ctx.table.get<Deal>(keys.record('deals', id));
  if (!isThere(before) || before.stage_id !== stage_id) return;
  const after = withMove(before, afterChange(before, placed(before, place, ctx.now), ctx.now));
  const besides = [...besidesOf(before, after), ...stageMoveWrites(ctx, before, after)];
  await commit(ctx, await recordChange(ctx, untold, { before, after, besides }));
}

/** Some deals of the stage. */
async function readDeals({ table }: Ctx, { stage_id }: ReplacedStage): Promise<string[]> {
  const { PK, SK } = keys.stageDeal(stage_id, '');
  const page = await table.query({ partition: PK, sort: { begins: SK }, limit: PAGE });
  return page.items.map((row) => row.SK.slice(SK.length));
}

async function moveDeals(ctx: Ctx, ids: string[], replaced: ReplacedStage): Promise<void> {
  for (const id of ids)
    await retryOnConflict(async () => {
      const { place } = await readPipeline(ctx, replaced);
      if (place) await moveDeal(asOfNow(ctx), id, replaced.stage_id, place);
    });
}

/** Fails while a deal is still in the stage. */
async function end(ctx: Ctx, job_id: string, replaced: ReplacedStage): Promise<void> {
  const { pipeline, place } = await readPipeline(ctx, replaced);
  const { [replaced.stage_id]: _, ...others } = pipeline?.replaced ?? {};
  await ctx.table.transact([
    ...(pipeline && place
      ? [
          changePipeline(pipeline, { replaced: others }, ctx.now),
          removeDealCount(replaced, () => new ConditionFailed(undefined)),
        ]
      : []),
    complete(job_id),
  ]);
}

/** Another message continues when the time is up. Idempotent. */
export async function moveReplacedDeals(
  ctx: Ctx,
  job_id: string,
  replaced: ReplacedStage,
  timeIsUp: () => boolean,
): Promise<void> {
  let ids = await readDeals(ctx, replaced);
  while (ids.length > 0) {
    const [first] = ids;
    if (timeIsUp()) return dispatchAgain(ctx, job_id);
    await moveDeals(ctx, ids, replaced);
    ids = await readDeals(ctx, replaced);
    if (ids[0] === first) throw new Error(`Deal ${first} does not leave stage ${replaced.stage_id}`);
  }
  await retryOnConflict(() => end(asOfNow(ctx), job_id, replaced));
}
