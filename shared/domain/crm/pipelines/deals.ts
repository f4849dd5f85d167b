import { keys } from '#shared/table/keys.ts';
import {
  type Item,
  mustExist,
  mustNotExist,
  type Refusal,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import type { Stage } from './stages/stage.ts';

/**
 * How many deals a stage has. The number is an item of its own that exists as long as its stage: a deal counts itself
 * in its own transaction, which fails when the stage is gone, and a stage is removed only at 0. So neither needs the
 * pipeline's item, and deals of one pipeline do not conflict with one another's stages.
 */
export type StageDeals = Item & {
  stage_id: string;
  deal_count: number;
  /** Missing while the deals of a deleted stage move to its replacement: no deal comes into it. */
  kind?: Stage['kind'];
};

export interface StagePath {
  account_id: string;
  pipeline_id: string;
  stage_id: string;
}

/** A stage as a deal found it. */
export type OpenStage = StagePath & Pick<Stage, 'kind'>;

const keyOf = ({ account_id, pipeline_id, stage_id }: StagePath) =>
  keys.stageDeals(account_id, pipeline_id, stage_id);

/** Comes with a new stage. */
export function noDeals({ kind, ...stage }: OpenStage): Write {
  const none: StageDeals = { ...keyOf(stage), stage_id: stage.stage_id, deal_count: 0, kind };
  return { put: none, when: mustNotExist };
}

/** Fails when there is no such stage, or it has another kind. */
function enter(deal_id: string, stage: OpenStage): Write[] {
  return [
    update<StageDeals>(keyOf(stage), { add: { deal_count: 1 }, when: { kind: stage.kind } }),
    { put: keys.stageDeal(stage.stage_id, deal_id), when: mustNotExist },
  ];
}

const leave = (deal_id: string, stage: StagePath): Write[] => [
  update<StageDeals>(keyOf(stage), { add: { deal_count: -1 }, when: mustExist }),
  { delete: keys.stageDeal(stage.stage_id, deal_id), when: mustExist },
];

/** The writes when a deal comes into its first stage, moves to another, or leaves its last one. */
export function stageWrites(
  deal_id: string,
  from: StagePath | undefined,
  to: OpenStage | undefined,
): Write[] {
  if (from?.stage_id === to?.stage_id) return [];
  return [...(from ? leave(deal_id, from) : []), ...(to ? enter(deal_id, to) : [])];
}

/** Goes with its stage; `otherwise` refuses a stage with deals. */
export function removeDealCount(stage: StagePath, otherwise: Refusal): Write {
  return { delete: keyOf(stage), when: when<StageDeals>({ deal_count: 0 }), otherwise };
}

/** No deal comes into the stage any more. */
export const closeStage = (stage: StagePath): Write =>
  update<StageDeals>(keyOf(stage), { remove: ['kind'], when: mustExist });

/** Another kind, for a stage without deals. */
export const changeKind = ({ kind, ...stage }: OpenStage, otherwise: Refusal): Write => ({
  ...update<StageDeals>(keyOf(stage), { set: { kind }, when: { deal_count: 0 } }),
  otherwise,
});
