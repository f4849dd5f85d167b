import * as z from 'zod';
import {
  apart,
  defaulted,
  derived,
  fixed,
  given,
  optional,
  required,
  resource,
  type StoredFields,
} from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { currency, nameText, refuse, timestamp, uuid } from '#shared/values.ts';
import { MAX_STAGES } from './stages/rules.ts';
import { firstStageDraft, position, presentStage, type Stage, stageSchema } from './stages/stage.ts';

const name = nameText(255).meta({ example: 'Pilot projects' });

const firstStages = z
  .array(firstStageDraft)
  .max(MAX_STAGES)
  .check((context) => {
    if (!context.value.some(({ kind }) => kind === 'open'))
      refuse(context, 'invalid', 'must have an open stage');
  });

const pipelines = resource('Pipeline', {
  id: given(uuid),
  user_id: given(uuid.nullable()),
  name: required(name, z.string().meta({ example: 'Pilot projects' })),
  currency: defaulted(currency.nullable(), null, currency.nullable()),
  default: apart(optional(z.boolean().optional(), z.boolean())),
  position: apart(optional(position.optional(), position)),
  stages: apart(fixed(optional(firstStages.optional(), z.array(stageSchema)))),
  deal_count: derived(z.int().nullable()),
  created_at: given(timestamp.nullable()),
  updated_at: given(timestamp.nullable()),
});

/** A pipeline as stored, with its stages in their order. */
export type Pipeline = Item &
  StoredFields<typeof pipelines.fields> & {
    account_id: string;
    stages: Stage[];
    /** The replacements of deleted stages whose deals are being moved, by the ids of those. */
    replaced?: Record<string, string>;
    /** What took the place of deleted stages, for deals that were deleted in them and return. */
    successors?: Record<string, string>;
    /** Grows with every change, for optimistic locking. */
    version: number;
  };

/** The order of an account's pipelines and their default: one item, so that every change of it has one winner. */
export type PipelineOrder = Item & { ids: string[]; default_id: string; version: number };

/** All pipelines of an account, which depend on one another by position and default. */
export interface AccountPipelines {
  order: PipelineOrder;
  /** In their order. */
  pipelines: Pipeline[];
  /** By the id of the stage. */
  deal_counts: ReadonlyMap<string, number>;
  /** False while the account has what every account begins with, and nothing was changed. */
  stored: boolean;
}

/** docs/specification/records.md, "Pipelines". */
export const pipelineSchema = pipelines.response;
export const pipelineDraft = pipelines.strictDraft.meta({ id: 'PipelineDraft' });
export const pipelineChanges = pipelines.changes.meta({ id: 'PipelineChanges' });

export type PipelineDraft = z.infer<typeof pipelineDraft>;
export type PipelineChanges = z.infer<typeof pipelineChanges>;
export type PipelineRecord = z.infer<typeof pipelineSchema>;

type Surroundings = Pick<AccountPipelines, 'order' | 'deal_counts'>;

export function presentPipeline({ order, deal_counts }: Surroundings, pipeline: Pipeline): PipelineRecord {
  const stages = pipeline.stages.map((stage, place) =>
    presentStage(stage, place, deal_counts.get(stage.id) ?? 0),
  );
  return pipelines.present(pipeline, {
    default: order.default_id === pipeline.id,
    position: order.ids.indexOf(pipeline.id),
    stages,
    deal_count: stages.reduce((sum, { deal_count }) => sum + (deal_count ?? 0), 0),
  });
}
