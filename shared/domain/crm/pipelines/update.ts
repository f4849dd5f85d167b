import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  type PipelineChanges,
  type PipelineOrder,
  type PipelineRecord,
  presentPipeline,
} from './pipeline.ts';
import { requireManaged } from './policy.ts';
import { pipelineNames } from './store.ts';
import { changeOrder, changePipeline, storeFirst } from './writes.ts';

/** Another pipeline becomes the default by being made it: an account is never without. */
function reordered(before: PipelineOrder, id: string, sent: PipelineChanges): PipelineOrder {
  if (sent.default === false && before.default_id === id)
    throw invalidField('default', 'invalid', 'must stay true until another pipeline is made the default');
  const others = before.ids.filter((each) => each !== id);
  return {
    ...before,
    ids: sent.position === undefined ? before.ids : others.toSpliced(sent.position, 0, id),
    default_id: sent.default ? id : before.default_id,
  };
}

/** Fields that are not sent stay. */
export function updatePipeline(
  ctx: CallerContext,
  id: string,
  sent: PipelineChanges,
): Promise<PipelineRecord> {
  return retryOnConflict(async () => {
    const { all, pipeline } = await requireManaged(ctx, id);
    if (Object.keys(sent).length === 0) return presentPipeline(all, pipeline);
    const order = reordered(all.order, id, sent);
    const { name = pipeline.name, currency = pipeline.currency } = sent;
    await storeFirst(ctx.table, all);
    await ctx.table.transact([
      ...pipelineNames.change(pipeline.account_id, id, { from: pipeline.name, to: name }),
      changePipeline(pipeline, { name, currency }, ctx.now),
      ...changeOrder(all.order, order),
    ]);
    const changed = { ...pipeline, name, currency, updated_at: nextMoment(pipeline, ctx.now) };
    return presentPipeline({ ...all, order }, changed);
  });
}
