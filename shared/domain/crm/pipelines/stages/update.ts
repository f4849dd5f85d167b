import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Write } from '#shared/table/table.ts';
import { changeKind } from '../deals.ts';
import type { Pipeline } from '../pipeline.ts';
import { requireManagedStage } from '../policy.ts';
import { changePipeline, storeFirst } from '../writes.ts';
import { probabilityOf, requireFreeName, requireOpenStage } from './rules.ts';
import { presentStage, type Stage, type StageChanges, type StageRecord } from './stage.ts';

/** A stage that becomes open again has no probability, unless one is sent. */
function changed(stage: Stage, sent: StageChanges, now: Date): Stage {
  const { name = stage.name, kind = stage.kind, color = stage.color } = sent;
  const kept = kind === stage.kind ? stage.probability : null;
  const probability = probabilityOf(kind, sent.probability === undefined ? kept : sent.probability);
  return { ...stage, name, kind, color, probability, updated_at: now.toISOString() };
}

const hasDeals = () => new ApiError('stage_has_deals');

/** Whether a deal is won or lost follows from its stage, so only a stage without deals gets another kind. */
function kindWrites(
  { account_id, id: pipeline_id }: Pipeline,
  before: Stage,
  { id: stage_id, kind }: Stage,
  deal_count: number,
): Write[] {
  if (kind === before.kind) return [];
  if (deal_count > 0) throw hasDeals();
  return [changeKind({ account_id, pipeline_id, stage_id, kind }, hasDeals)];
}

/**
 * Fields that are not sent stay. 422 `stage_is_last_open` when no open stage is left, `stage_has_deals` for another kind
 * of a stage with deals.
 */
export function updateStage(
  ctx: CallerContext,
  pipeline_id: string,
  id: string,
  sent: StageChanges,
): Promise<StageRecord> {
  return retryOnConflict(async () => {
    const { all, pipeline, stage: before } = await requireManagedStage(ctx, pipeline_id, id);
    const place = pipeline.stages.indexOf(before);
    const deal_count = all.deal_counts.get(id) ?? 0;
    if (Object.keys(sent).length === 0) return presentStage(before, place, deal_count);
    const stage = changed(before, sent, ctx.now);
    const others = pipeline.stages.toSpliced(place, 1);
    const stages = others.toSpliced(sent.position ?? place, 0, stage);
    requireFreeName(others, stage.name);
    requireOpenStage(stages);
    await storeFirst(ctx.table, all);
    await ctx.table.transact([
      changePipeline(pipeline, { stages }, ctx.now),
      ...kindWrites(pipeline, before, stage, deal_count),
    ]);
    return presentStage(stage, stages.indexOf(stage), deal_count);
  });
}
