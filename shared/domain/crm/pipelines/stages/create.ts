import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { noDeals } from '../deals.ts';
import { newStage } from '../new.ts';
import { requireManaged } from '../policy.ts';
import { changePipeline, storeFirst } from '../writes.ts';
import { MAX_STAGES, requireFreeName } from './rules.ts';
import { presentStage, type StageDraft, type StageRecord } from './stage.ts';

/** 409 `stage_name_taken` when another stage of the pipeline has the name. */
export function createStage(
  ctx: CallerContext,
  pipeline_id: string,
  draft: StageDraft,
): Promise<StageRecord> {
  const creation = { id: newId(ctx.now), user_id: ctx.caller.user.id, created_at: ctx.now.toISOString() };
  return retryOnConflict(async () => {
    const { all, pipeline } = await requireManaged(ctx, pipeline_id);
    const { account_id, stages: before } = pipeline;
    const stage = newStage(draft, creation);
    requireFreeName(before, stage.name);
    if (before.length >= MAX_STAGES)
      throw invalidField('stage', 'invalid', `cannot be added: a pipeline has at most ${MAX_STAGES}`);
    const stages = before.toSpliced(draft.position ?? before.length, 0, stage);
    await storeFirst(ctx.table, all);
    await ctx.table.transact([
      changePipeline(pipeline, { stages }, ctx.now),
      noDeals({ account_id, pipeline_id, stage_id: stage.id, kind: stage.kind }),
    ]);
    return presentStage(stage, stages.indexOf(stage), 0);
  });
}
