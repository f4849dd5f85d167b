import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { noProgress } from '#shared/domain/work/tasks/progress.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Write } from '#shared/table/table.ts';
import { type Milestone, type MilestoneDraft, type MilestoneRecord, presentMilestone } from './milestone.ts';
import { withSent } from './sent.ts';
import { milestoneChange } from './writes.ts';

/** Of the caller, without anything that was sent. */
function emptyMilestone({ caller, now }: CallerContext): Milestone {
  const id = newId(now);
  return {
    ...keys.record('milestones', id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    name: '',
    description: null,
    due_on: null,
    status: 'open',
    reached_at: null,
    assigned_user_id: null,
    parent: null,
    visibility: 'account',
    shares: {},
    created_at: now.toISOString(),
    updated_at: null,
  };
}

/**
 * 404 for a parent or an assignee that the caller does not see; 400 for two parents, or when the account has the maximum
 * number of milestones. The writes of `also` are in the same transaction.
 */
export function createMilestone(
  ctx: CallerContext<SeesRecords & KeepsLists>,
  draft: MilestoneDraft,
  also: (milestone: MilestoneRecord) => Write[],
): Promise<MilestoneRecord> {
  return retryOnConflict(async () => {
    const linked = new LinkedRecords(ctx);
    const milestone = await withSent(ctx, emptyMilestone(ctx), draft, linked);
    const created = await presentMilestone(milestone, linked, noProgress);
    await commit(ctx, await milestoneChange(ctx, undefined, milestone, also(created)));
    return created;
  });
}
