import { findFirstRank } from '#shared/domain/collaboration/record-lists/find.ts';
import { numberOf, rankedValue } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { AccountPipelines, Pipeline } from '#shared/domain/crm/pipelines/pipeline.ts';
import type { Place } from '#shared/domain/crm/pipelines/places.ts';
import { refuseStage } from '#shared/domain/crm/pipelines/stages/rules.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import { inStage } from './criteria.ts';
import type { Deal } from './deal.ts';
import { dealIndex } from './lists.ts';
import { LAST_POSITION } from './written.ts';

/** Places deals in stages. */

interface Sent {
  pipeline_id?: string | undefined;
  stage_id?: string | undefined;
}

function pipelineOf({ order, pipelines }: AccountPipelines, { pipeline_id }: Sent, before?: Place): Pipeline {
  if (pipeline_id === undefined && before) return before.pipeline;
  const id = pipeline_id ?? order.default_id;
  const pipeline = pipelines.find((each) => each.id === id);
  if (!pipeline) throw recordNotFound();
  return pipeline;
}

/**
 * Where a request puts a deal: without a stage in the first open one, unless it stays in its pipeline; without a
 * pipeline in the default one, if it is new. 404 for an unknown pipeline or stage, 400 for a stage of another pipeline.
 */
export function placeFor(all: AccountPipelines, sent: Sent, before?: Place): Place {
  const pipeline = pipelineOf(all, sent, before);
  const { stage_id } = sent;
  if (stage_id === undefined && before?.pipeline.id === pipeline.id) return before;
  const position = pipeline.stages.findIndex(({ id, kind }) =>
    stage_id === undefined ? kind === 'open' : id === stage_id,
  );
  const stage = pipeline.stages[position];
  if (!stage) refuseStage(all, stage_id as string, 'stage_id', 'must be a stage of the pipeline');
  return { pipeline, stage, position };
}

/** Behind the deals of the stage that the caller sees. */
export async function lastPosition(ctx: CallerContext, { stage }: Place): Promise<number> {
  const query = { index: dealIndex, criteria: [inStage(stage.id)], sort: 'position', order: 'desc' as const };
  const last = await findFirstRank(ctx, query);
  return last === undefined ? 0 : Math.min(Math.floor(numberOf(rankedValue(last))) + 1, LAST_POSITION);
}

/** The deal in another stage. It counts as closed since it was won or lost. */
export function placed(deal: Deal, { pipeline, stage }: Place, now: Date): Deal {
  const closed = stage.kind === 'open' ? null : now.toISOString();
  const closed_at = stage.kind === deal.status ? deal.closed_at : closed;
  return { ...deal, pipeline_id: pipeline.id, stage_id: stage.id, status: stage.kind, closed_at };
}

/** Tells when it was moved, and how often, if it is in another stage. */
export const withMove = (before: Deal, after: Deal): Deal =>
  after.stage_id === before.stage_id
    ? after
    : { ...after, stage_moved_at: after.updated_at, stage_moves: (before.stage_moves ?? 0) + 1 };
