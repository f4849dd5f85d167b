import { requireAssignee } from '#shared/domain/collaboration/records/assignee.ts';
import type { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Milestone, MilestoneChanges } from './milestone.ts';
import { parentAfter } from './parent.ts';

/** Stores the fields that requests send of a milestone. */

const plainFields = ['name', 'description', 'due_on', 'status', 'assigned_user_id', 'visibility'] as const;

/** When it was reached, if it is. */
function reachedAt(before: Milestone, status: Milestone['status'], now: Date): string | null {
  if (status !== 'reached') return null;
  return before.reached_at ?? now.toISOString();
}

/** The milestone with the sent fields. 404 for a parent or an assignee that is not visible, 400 for two parents. */
export async function withSent(
  ctx: CallerContext,
  before: Milestone,
  sent: MilestoneChanges,
  linked: LinkedRecords,
): Promise<Milestone> {
  const changed = { ...before, ...sentAmong(plainFields, sent) };
  const [parent] = await Promise.all([
    parentAfter(before.parent, sent, linked),
    requireAssignee(ctx, before.assigned_user_id, changed.assigned_user_id),
  ]);
  return { ...changed, parent, reached_at: reachedAt(before, changed.status, ctx.now) };
}
