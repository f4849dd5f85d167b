import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireAdmin } from '#shared/domain/identity/users/policy.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { recordNotFound } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { AccountPipelines, Pipeline } from './pipeline.ts';
import type { Stage } from './stages/stage.ts';
import { readPipelines } from './store.ts';

/** All users of an account see its pipelines; its owner and admins manage them. */

export interface Found {
  all: AccountPipelines;
  pipeline: Pipeline;
}

/** 404 when the account has no such pipeline. */
async function findPipeline(ctx: CallerContext, id: string): Promise<Found> {
  const all = await readPipelines(ctx);
  const pipeline = all.pipelines.find((each) => each.id === id);
  if (!pipeline) throw recordNotFound();
  return { all, pipeline };
}

/** 404 when the account has no such pipeline. */
export function requirePipeline(ctx: CallerContext, id: string): Promise<Found> {
  return retryOnConflict(() => findPipeline(ctx, id));
}

/** 404 when the account has no such pipeline, 403 for everyone except admins. */
export async function requireManaged(ctx: CallerContext, id: string): Promise<Found> {
  const found = await findPipeline(ctx, id);
  requireAdmin(ctx.caller);
  requireVersion(ctx, id, found.pipeline);
  return found;
}

/** The same for a stage; 404 also when it is of another pipeline. */
export async function requireManagedStage(
  ctx: CallerContext,
  pipeline_id: string,
  id: string,
): Promise<Found & { stage: Stage }> {
  const found = await findPipeline(ctx, pipeline_id);
  const stage = found.pipeline.stages.find((each) => each.id === id);
  if (!stage) throw recordNotFound();
  requireAdmin(ctx.caller);
  return { ...found, stage };
}
