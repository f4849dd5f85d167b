import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireAdmin } from '#shared/domain/identity/users/policy.ts';
import { invalidField } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Write } from '#shared/table/table.ts';
import { newPipeline } from './new.ts';
import { type PipelineDraft, type PipelineRecord, presentPipeline } from './pipeline.ts';
import { readPipelines } from './store.ts';
import { changeOrder, insertPipeline, storeFirst } from './writes.ts';

/** A request reads all pipelines of the account. */
const MAX_PIPELINES = 100;

/**
 * 409 `pipeline_name_taken` when another pipeline has the name. The writes of `also` are in the same transaction.
 */
export function createPipeline(
  ctx: CallerContext,
  draft: PipelineDraft,
  also: (pipeline: PipelineRecord) => Write[],
): Promise<PipelineRecord> {
  const { account, user } = ctx.caller;
  requireAdmin(ctx.caller);
  const pipeline = newPipeline(account.id, user.id, draft, ctx.now);
  return retryOnConflict(async () => {
    const before = await readPipelines(ctx);
    const { ids, default_id } = before.order;
    if (ids.length >= MAX_PIPELINES)
      throw invalidField('pipeline', 'invalid', `cannot be added: an account has at most ${MAX_PIPELINES}`);
    await storeFirst(ctx.table, before);
    const order = {
      ...before.order,
      ids: ids.toSpliced(draft.position ?? ids.length, 0, pipeline.id),
      default_id: draft.default ? pipeline.id : default_id,
    };
    const created = presentPipeline({ ...before, order }, pipeline);
    await ctx.table.transact([
      ...insertPipeline(pipeline),
      ...changeOrder(before.order, order),
      ...also(created),
    ]);
    return created;
  });
}
