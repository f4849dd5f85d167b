import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { removeDealCount } from '../deals.ts';
import { requireManagedStage } from '../policy.ts';
import { changePipeline, storeFirst } from '../writes.ts';
import { requireOpenStage } from './rules.ts';

/** 422 `stage_has_deals` while it has deals, `stage_is_last_open` when no open stage is left. */
export function deleteStage(
  ctx: CallerContext,
  pipeline_id: string,
  id: string,
  replacement_stage_id: string | null,
): Promise<void> {
  return retryOnConflict(async () => {
    const { all, pipeline } = await requireManagedStage(ctx, pipeline_id, id);
    const { account_id } = pipeline;
    const stages = pipeline.stages.filter((stage) => stage.id !== id);
    if (replacement_stage_id !== null && !stages.some((stage) => stage.id === replacement_stage_id))
      throw invalidField('replacement_stage_id', 'invalid', 'must be another stage of the pipeline');
    requireOpenStage(stages);
    await storeFirst(ctx.table, all);
    await ctx.table.transact([
      changePipeline(pipeline, { stages }, ctx.now),
      removeDealCount({ account_id, pipeline_id, stage_id: id }, () => new ApiError('stage_has_deals')),
    ]);
  });
}
