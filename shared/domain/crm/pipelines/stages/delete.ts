import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, commit } from '#shared/domain/platform/jobs/commit.ts';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import { ApiError } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { closeStage, removeDealCount, type StagePath } from '../deals.ts';
import type { Pipeline } from '../pipeline.ts';
import { requireManagedStage } from '../policy.ts';
import { changePipeline, storeFirst } from '../writes.ts';
import { refuseStage, requireOpenStage } from './rules.ts';
import type { Stage } from './stage.ts';

/** The message of the queue `move-deals`: a deleted stage whose deals move to its replacement. */
export type ReplacedStage = StagePath;

interface Removal {
  pipeline: Pipeline;
  stage_id: string;
  /** Those that are left. */
  stages: Stage[];
  successors: Record<string, string>;
}

/** Successors of a pipeline: the newest, so that its item has room for all else. */
const MAX_SUCCESSORS = 500;

/** Those of stages that are still there. */
function successorsOf({ successors = {} }: Pipeline, stage_id: string, by: string | null) {
  const followed = Object.entries({ ...successors, [stage_id]: stage_id }).flatMap(([id, to]) => {
    const successor = to === stage_id ? by : to;
    return successor === null ? [] : [[id, successor] as const];
  });
  // Ids sort by time.
  const newest = followed.sort(([a], [b]) => (a < b ? -1 : 1)).slice(-MAX_SUCCESSORS);
  return Object.fromEntries(newest);
}

/** A stage without deals. */
function removal({ pipeline, stage_id, ...left }: Removal, hasDeals: () => Error, now: Date): Change {
  const path = { account_id: pipeline.account_id, pipeline_id: pipeline.id, stage_id };
  return { writes: [changePipeline(pipeline, left, now), removeDealCount(path, hasDeals)], jobs: [] };
}

/** Its deals are shown in the replacement at once, and a job moves them. */
function replacement({ pipeline, stage_id, ...left }: Removal, by: string, now: Date): Change {
  const path: ReplacedStage = { account_id: pipeline.account_id, pipeline_id: pipeline.id, stage_id };
  const earlier = Object.entries(pipeline.replaced ?? {});
  const followed = earlier.map(([id, to]) => [id, to === stage_id ? by : to]);
  const replaced = { ...(Object.fromEntries(followed) as Record<string, string>), [stage_id]: by };
  return {
    writes: [changePipeline(pipeline, { ...left, replaced }, now), closeStage(path)],
    jobs: [newJob('move-deals', { ...path }, now)],
  };
}

/** 422 `stage_has_deals` while it has deals and no other gets them, `stage_is_last_open` when no open stage is left. */
export function deleteStage(
  ctx: CallerContext,
  pipeline_id: string,
  id: string,
  replacement_stage_id: string | null,
): Promise<void> {
  return retryOnConflict(async () => {
    const { all, pipeline } = await requireManagedStage(ctx, pipeline_id, id);
    const stages = pipeline.stages.filter((stage) => stage.id !== id);
    if (replacement_stage_id !== null && !stages.some((stage) => stage.id === replacement_stage_id))
      refuseStage(all, replacement_stage_id, 'replacement_stage_id', 'must be another stage of the pipeline');
    requireOpenStage(stages);
    const successors = successorsOf(pipeline, id, replacement_stage_id);
    const removed = { pipeline, stage_id: id, stages, successors };
    const hasDeals = (all.deal_counts.get(id) ?? 0) > 0;
    if (hasDeals && replacement_stage_id === null) throw new ApiError('stage_has_deals');
    await storeFirst(ctx.table, all);
    if (hasDeals && replacement_stage_id !== null)
      return commit(ctx, replacement(removed, replacement_stage_id, ctx.now));
    const refusal = () =>
      replacement_stage_id === null ? new ApiError('stage_has_deals') : new ConditionFailed(undefined);
    await commit(ctx, removal(removed, refusal, ctx.now));
  });
}
