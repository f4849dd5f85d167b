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

/**
 * How many deals a stage has. The number is an item of its own that exists as long as its stage: a deal counts itself
 * in its own transaction, which fails when the stage is gone, and a stage is removed only at 0. So neither needs the
 * pipeline's item, and deals of one pipeline do not conflict with one another's stages.
 */
export type StageDeals = Item & { stage_id: string; deal_count: number };

interface StagePath {
  account_id: string;
  pipeline_id: string;
  stage_id: string;
}

const keyOf = ({ account_id, pipeline_id, stage_id }: StagePath) =>
  keys.stageDeals(account_id, pipeline_id, stage_id);

/** Comes with a new stage. */
export function noDeals(stage: StagePath): Write {
  const none: StageDeals = { ...keyOf(stage), stage_id: stage.stage_id, deal_count: 0 };
  return { put: none, when: mustNotExist };
}

/** A deal that comes into a stage (1) or leaves it (-1). Fails when there is no such stage. */
export function countDeal(stage: StagePath, by: 1 | -1): Write {
  return update<StageDeals>(keyOf(stage), { add: { deal_count: by }, when: mustExist });
}

/** Goes with its stage; `otherwise` refuses a stage with deals. */
export function removeDealCount(stage: StagePath, otherwise: Refusal): Write {
  return { delete: keyOf(stage), when: when<StageDeals>({ deal_count: 0 }), otherwise };
}
