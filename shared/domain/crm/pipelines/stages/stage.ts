import * as z from 'zod';
import {
  apart,
  defaulted,
  derived,
  given,
  optional,
  required,
  resource,
  type StoredFields,
} from '#shared/resource.ts';
import { color, nameText, timestamp, uuid } from '#shared/values.ts';

const kind = z.enum(['open', 'won', 'lost']);
const percent = z.int().min(0).max(100);

/** From 0. A position behind the last one means the last. */
export const position = z.int().min(0);

const stages = resource('Stage', {
  id: given(uuid),
  user_id: given(uuid.nullable()),
  name: required(nameText(255).meta({ example: 'Qualified' }), z.string().meta({ example: 'Qualified' })),
  kind: defaulted(kind, 'open', kind),
  probability: defaulted(percent.nullable(), null, percent.nullable().meta({ example: 25 })),
  color: defaulted(color.nullable(), null, color.nullable()),
  position: apart(optional(position.optional(), position)),
  deal_count: derived(z.int().nullable()),
  created_at: given(timestamp.nullable()),
  updated_at: given(timestamp.nullable()),
});

/** A stage as stored in its pipeline. Its position is its place there. */
export type Stage = StoredFields<typeof stages.fields>;

/** docs/specification/records.md, "Pipelines". */
export const stageSchema = stages.response;
export const stageDraft = stages.strictDraft.meta({ id: 'StageDraft' });
export const stageChanges = stages.changes.meta({ id: 'StageChanges' });

/** A stage in a request that creates its pipeline: the list gives its position. */
export const firstStageDraft = stages.draft.omit({ position: true });

export type StageDraft = z.infer<typeof stageDraft>;
export type StageChanges = z.infer<typeof stageChanges>;
export type StageRecord = z.infer<typeof stageSchema>;

export function presentStage(stage: Stage, place: number, deal_count: number): StageRecord {
  return stages.present(stage, { position: place, deal_count });
}
