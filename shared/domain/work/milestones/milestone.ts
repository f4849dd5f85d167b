import * as z from 'zod';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { type OwnedItem, presentShares, shareSchema } from '#shared/domain/collaboration/shares/share.ts';
import type { Progress } from '#shared/domain/work/tasks/progress.ts';
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
import { isoDate, nameText, text, timestamp, uuid } from '#shared/values.ts';
import { shownParent } from './parent.ts';

const id = uuid.nullable();
const name = nameText(255).meta({ example: 'Sea trial' });
const status = z.enum(['open', 'reached', 'missed']);
const visibility = z.enum(['account', 'private']);
const parent = apart(optional(uuid.nullish(), id));

const milestones = resource('Milestone', {
  id: given(uuid),
  user_id: given(id),
  name: required(name, z.string().meta({ example: 'Sea trial' })),
  description: defaulted(
    text(20_000).nullable(),
    null,
    z.string().nullable().meta({ example: 'Forty limpets on the hull of the first ferry' }),
  ),
  due_on: defaulted(isoDate.nullable(), null, isoDate.nullable()),
  status: defaulted(status, 'open', status),
  reached_at: given(timestamp.nullable()),
  assigned_user_id: defaulted(id, null, id),
  deal_id: parent,
  space_id: parent,
  organization_id: parent,
  contact_id: parent,
  task_count: derived(z.int()),
  completed_task_count: derived(z.int()),
  visibility: defaulted(visibility, 'account', visibility),
  shares: derived(z.array(shareSchema).nullable()),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/** A milestone as stored. */
export type Milestone = OwnedItem &
  StoredFields<typeof milestones.fields> & {
    /** The record that it belongs to. */
    parent: RecordRef | null;
  };

/** docs/specification/records.md, "Milestones". */
export const milestoneSchema = milestones.response;

export type MilestoneRecord = z.output<typeof milestoneSchema>;

export const milestoneDraft = milestones.strictDraft.meta({ id: 'MilestoneDraft' });

export type MilestoneDraft = z.output<typeof milestoneDraft>;

/** Fields that are not sent stay, and `null` clears. */
export const milestoneChanges = milestones.changes.meta({ id: 'MilestoneChanges' });

export type MilestoneChanges = z.output<typeof milestones.writableChanges>;

/** As the caller sees it: without a parent that is hidden. */
export async function presentMilestone(
  milestone: Milestone,
  linked: LinkedRecords,
  counted: Progress | Promise<Progress>,
): Promise<MilestoneRecord> {
  const { parent, shares } = milestone;
  const [visible, progress] = await Promise.all([parent && linked.find(parent), counted]);
  return milestones.present(milestone, {
    ...shownParent(visible ? parent : null),
    ...progress,
    shares: presentShares(shares, { type: 'milestones', id: milestone.id }),
  });
}
