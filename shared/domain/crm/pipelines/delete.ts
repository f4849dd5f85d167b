import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { when } from '#shared/table/table.ts';
import { removeDealCount } from './deals.ts';
import type { Pipeline, PipelineOrder } from './pipeline.ts';
import { requireManaged } from './policy.ts';
import { pipelineNames } from './store.ts';
import { changeOrder, storeFirst } from './writes.ts';

/** The next pipeline by position becomes the default instead; behind the last one, the first. */
function withoutPipeline(order: PipelineOrder, id: string): PipelineOrder {
  const place = order.ids.indexOf(id);
  const ids = order.ids.toSpliced(place, 1);
  const next = ids[place] ?? ids[0];
  if (next === undefined) throw new ApiError('pipeline_is_last');
  return { ...order, ids, default_id: order.default_id === id ? next : order.default_id };
}

const stageIds = ({ stages, replaced = {} }: Pipeline) => [
  ...stages.map(({ id }) => id),
  ...Object.keys(replaced),
];

/** 422 `pipeline_is_last`, or `pipeline_has_deals` while any deal is in it, open or closed. */
export function deletePipeline(ctx: CallerContext, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const { all, pipeline } = await requireManaged(ctx, id);
    const { account_id } = pipeline;
    const order = withoutPipeline(all.order, id);
    await storeFirst(ctx.table, all);
    await ctx.table.transact([
      { delete: keys.pipeline(account_id, id), when: when<Pipeline>({ version: pipeline.version }) },
      pipelineNames.free(account_id, pipeline.name, id),
      ...stageIds(pipeline).map((stage_id) =>
        removeDealCount({ account_id, pipeline_id: id, stage_id }, () => new ApiError('pipeline_has_deals')),
      ),
      ...changeOrder(all.order, order),
    ]);
  });
}
