import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { idFrom, newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { AccountPipelines, Pipeline, PipelineDraft } from './pipeline.ts';
import { probabilityOf, requireFreeName } from './stages/rules.ts';
import type { Stage, StageDraft } from './stages/stage.ts';

const usual: [name: string, kind: Stage['kind'], probability: number][] = [
  ['Lead', 'open', 10],
  ['Qualified', 'open', 25],
  ['Proposal', 'open', 50],
  ['Negotiation', 'open', 75],
  ['Won', 'won', 100],
  ['Lost', 'lost', 0],
];
/** The stages of a pipeline that is created without any. */
const usualStages = usual.map(([name, kind, probability]) => ({ name, kind, probability, color: null }));

interface Creation {
  id: string;
  user_id: string | null;
  created_at: string;
}

type StageFields = Omit<StageDraft, 'position'>;

export function newStage(fields: StageFields, creation: Creation, field?: string): Stage {
  const { name, kind, color } = fields;
  const probability = probabilityOf(kind, fields.probability, field);
  return { ...creation, name, kind, probability, color, updated_at: null };
}

function newStages(drafts: StageFields[], creation: Creation, idOf: (place: number) => string): Stage[] {
  return drafts.map((draft, place) => {
    requireFreeName(drafts.slice(0, place), draft.name, `stages.${place}.name`);
    return newStage(draft, { ...creation, id: idOf(place) }, `stages.${place}.probability`);
  });
}

type PipelineFields = Pick<PipelineDraft, 'name' | 'currency' | 'stages'>;

function assemble(
  account_id: string,
  { name, currency, stages = usualStages }: PipelineFields,
  creation: Creation,
  idOf: (place: number) => string,
): Pipeline {
  return {
    ...keys.pipeline(account_id, creation.id),
    ...creation,
    account_id,
    name,
    currency,
    stages: newStages(stages, creation, idOf),
    version: 1,
    updated_at: null,
  };
}

export function newPipeline(
  account_id: string,
  user_id: string,
  fields: PipelineFields,
  now: Date,
): Pipeline {
  const creation = { id: newId(now), user_id, created_at: now.toISOString() };
  return assemble(account_id, fields, creation, () => newId(now));
}

/**
 * The one pipeline that every account begins with. It follows from the account, so it is there without being stored;
 * the first change stores it.
 */
export function firstPipelines({ id: account_id, created_at }: Account): AccountPipelines {
  const creation = { id: idFrom('first pipeline of account', account_id), user_id: null, created_at };
  const pipeline = assemble(account_id, { name: 'Sales', currency: null }, creation, (place) =>
    idFrom('stage of pipeline', creation.id, String(place)),
  );
  return {
    order: { ...keys.pipelineOrder(account_id), ids: [creation.id], default_id: creation.id, version: 1 },
    pipelines: [pipeline],
    deal_counts: new Map(),
    stored: false,
  };
}
