import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { requireVisibilityRight } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Milestone, MilestoneChanges } from './milestone.ts';
import { requireEditableMilestone } from './policy.ts';
import { withSent } from './sent.ts';
import { milestoneChange } from './writes.ts';

/**
 * 404 for a milestone that the caller does not see, 403 for one that the caller may only look at; 404 and 400 as in
 * `withSent`. Nothing is written when nothing changes.
 */
export function updateMilestone(
  ctx: CallerContext<SeesRecords & KeepsLists>,
  id: string,
  changes: MilestoneChanges,
): Promise<Milestone> {
  return retryOnConflict(async () => {
    const before = await requireEditableMilestone(ctx, id);
    if (changes.visibility !== undefined) requireVisibilityRight(before, ctx.caller.user, changes.visibility);
    const changed = await withSent(ctx, before, changes, new LinkedRecords(ctx));
    const after = afterChange(before, changed, ctx.now);
    if (after !== before) await commit(ctx, await milestoneChange(ctx, before, after));
    return after;
  });
}
