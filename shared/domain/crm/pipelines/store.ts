import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { UniqueNames } from '#shared/domain/platform/names/unique.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ConditionFailed, type Item } from '#shared/table/table.ts';
import type { StageDeals } from './deals.ts';
import { firstPipelines } from './new.ts';
import type { AccountPipelines, Pipeline, PipelineOrder } from './pipeline.ts';
import { type Places, placesIn } from './places.ts';

/** 409 `pipeline_name_taken` when another pipeline has the name. */
export const pipelineNames = new UniqueNames(
  keys.pipelineName,
  () =>
    new ApiError('pipeline_name_taken', {
      fields: { name: { code: 'taken', message: 'is used by another pipeline' } },
    }),
);

const has = <T extends Item>(attribute: keyof T & string) => {
  return (item: Item): item is T => attribute in item;
};
const isOrder = has<PipelineOrder>('default_id');
export const isPipeline = has<Pipeline>('stages');
const isCount = has<StageDeals>('deal_count');

/** By the id of the stage, with those that are being moved into it. */
function dealCounts(counts: StageDeals[], places: Places): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { stage_id, deal_count } of counts) {
    const id = places.get(stage_id)?.stage.id ?? stage_id;
    sums.set(id, (sums.get(id) ?? 0) + deal_count);
  }
  return sums;
}

/**
 * In one query. The order is its first item, so pipelines that are created meanwhile are not in it yet. Throws
 * ConditionFailed when one was deleted after the order was read.
 */
export async function readPipelines({
  table,
  caller: { account },
}: CallerContext): Promise<AccountPipelines> {
  const items = await table.all<Item>(keys.pipelineOrder(account.id).PK);
  const order = items.find(isOrder);
  if (!order) return firstPipelines(account);
  const found = new Map(items.filter(isPipeline).map((pipeline) => [pipeline.id, pipeline]));
  const pipelines = order.ids.flatMap((id) => found.get(id) ?? []);
  if (pipelines.length < order.ids.length) throw new ConditionFailed(undefined);
  const deal_counts = dealCounts(items.filter(isCount), placesIn({ pipelines }));
  return { order, pipelines, deal_counts, stored: true };
}

export function listPipelines(ctx: CallerContext): Promise<AccountPipelines> {
  return retryOnConflict(() => readPipelines(ctx));
}
