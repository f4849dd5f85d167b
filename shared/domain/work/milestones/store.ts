import type { Query } from '#shared/domain/collaboration/record-lists/matching.ts';
import { findAllRecords } from '#shared/domain/collaboration/record-lists/whole.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { noProgress, progressOfMilestones } from '#shared/domain/work/tasks/progress.ts';
import { milestoneIndex } from './lists.ts';
import { type Milestone, type MilestoneRecord, presentMilestone } from './milestone.ts';

type Ctx = CallerContext<SeesRecords>;

/** A milestone with its parent and its tasks, as the caller sees them. */
export function showMilestone(ctx: Ctx, milestone: Milestone): Promise<MilestoneRecord> {
  const { id } = milestone;
  const counted = progressOfMilestones(ctx, id).then((all) => all.get(id) ?? noProgress);
  return presentMilestone(milestone, new LinkedRecords(ctx), counted);
}

/** The milestones that the caller sees: open ones first, then by their day. */
export async function listMilestones(ctx: Ctx): Promise<MilestoneRecord[]> {
  const query: Query<Milestone> = { index: milestoneIndex, criteria: [], sort: 'due', order: 'asc' };
  const [milestones, progress] = await Promise.all([findAllRecords(ctx, query), progressOfMilestones(ctx)]);
  const linked = new LinkedRecords(ctx);
  return Promise.all(
    milestones.map((each) => presentMilestone(each, linked, progress.get(each.id) ?? noProgress)),
  );
}
