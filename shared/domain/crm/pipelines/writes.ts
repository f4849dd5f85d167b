import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Table, update, type Write } from '#shared/table/table.ts';
import { noDeals } from './deals.ts';
import type { AccountPipelines, Pipeline, PipelineOrder } from './pipeline.ts';
import { pipelineNames } from './store.ts';

export function insertPipeline(pipeline: Pipeline): Write[] {
  const { account_id, id } = pipeline;
  return [
    pipelineNames.take(account_id, pipeline.name, id),
    { put: pipeline, when: mustNotExist },
    ...pipeline.stages.map(({ id: stage_id, kind }) =>
      noDeals({ account_id, pipeline_id: id, stage_id, kind }),
    ),
  ];
}

/** Unless it changed since it was read. */
export function changePipeline(
  before: Pipeline,
  set: Partial<Pick<Pipeline, 'name' | 'currency' | 'stages' | 'replaced' | 'successors'>>,
  now: Date,
): Write {
  return update<Pipeline>(keys.pipeline(before.account_id, before.id), {
    set: { ...set, updated_at: nextMoment(before, now), version: before.version + 1 },
    when: { version: before.version },
  });
}

/** Unless it changed since it was read; no write when both are the same. */
export function changeOrder(before: PipelineOrder, { ids, default_id }: PipelineOrder): Write[] {
  if (default_id === before.default_id && ids.join() === before.ids.join()) return [];
  const { PK, SK, version } = before;
  return [
    update<PipelineOrder>({ PK, SK }, { set: { ids, default_id, version: version + 1 }, when: { version } }),
  ];
}

/** Stores what the account begins with, so that it can be changed. Fails when another request did. */
export async function storeFirst(
  table: Table,
  { order, pipelines, stored }: AccountPipelines,
): Promise<void> {
  if (stored) return;
  await table.transact([{ put: order, when: mustNotExist }, ...pipelines.flatMap(insertPipeline)]);
}
