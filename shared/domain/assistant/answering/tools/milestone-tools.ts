import type { MilestoneRecord } from '#shared/domain/work/milestones/milestone.ts';
import { requireMilestone } from '#shared/domain/work/milestones/policy.ts';
import { listMilestones, showMilestone } from '#shared/domain/work/milestones/store.ts';
import type { MilestoneRow, MilestoneView } from '../other-views.ts';
import { shorten } from './comments.ts';
import { give, type ToolContext } from './context.ts';
import type { RecordTools } from './record-tools.ts';
import { tool } from './tool.ts';

const DESCRIPTION = 2_000;
const MILESTONES = 100;

function milestoneRow(milestone: MilestoneRecord): MilestoneRow {
  const { id, name, status, due_on, task_count, completed_task_count } = milestone;
  return { id, name, status, due_on, task_count, completed_task_count };
}

/** 404 for a milestone that the user does not see. */
async function readMilestone(ctx: ToolContext, id: string): Promise<MilestoneView> {
  const milestone = await showMilestone(ctx, await requireMilestone(ctx, id));
  give(ctx, 'milestone', [milestone.id]);
  const { description, deal_id, space_id, organization_id, contact_id } = milestone;
  return {
    ...milestoneRow(milestone),
    type: 'milestone',
    description: description && shorten(description, DESCRIPTION),
    ...{ deal_id, space_id, organization_id, contact_id },
  };
}

async function milestoneRows(ctx: ToolContext): Promise<{ milestones: MilestoneRow[] }> {
  const milestones = (await listMilestones(ctx)).slice(0, MILESTONES);
  give(
    ctx,
    'milestone',
    milestones.map(({ id }) => id),
  );
  return { milestones: milestones.map(milestoneRow) };
}

export const milestoneTools: RecordTools = {
  reading: 'a milestone with the progress of its tasks',
  read: readMilestone,
  own: (context) => ({
    list_milestones: tool('list_milestones', 'List the milestones: open ones first, by their day.', {}, () =>
      milestoneRows(context),
    ),
  }),
};
