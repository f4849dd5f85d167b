import { newNotification, notify } from '#shared/domain/collaboration/notifications/notification.ts';
import { sendingJobsOf } from '#shared/domain/collaboration/notifications/sending/job.ts';
import { actorOf, type CallerContext } from '#shared/domain/identity/caller.ts';
import { requireActiveUser } from '#shared/domain/identity/users/policy.ts';
import { type Change, noChange } from '#shared/domain/platform/jobs/commit.ts';

/** Who works on a record, besides its owner. */

type UserId = string | null;

interface Assigned {
  id: string;
  name: string;
  assigned_user_id: UserId;
}

/** A new assignee other than who assigns, or for whom an agent does. `before` is undefined for a new record. */
export function newAssignee({ caller }: CallerContext, before: UserId | undefined, after: UserId): UserId {
  return after === caller.user.id || after === before ? null : after;
}

/** 404 for a new assignee who is not an active user of the account. */
export async function requireAssignee(ctx: CallerContext, before: UserId, after: UserId): Promise<void> {
  const id = newAssignee(ctx, before, after);
  if (id !== null) await requireActiveUser(ctx.table, ctx.caller.account.id, id);
}

/** `task_assigned` or `deal_assigned` for a new assignee. */
export async function assignmentNotice(
  ctx: CallerContext,
  record_type: 'task' | 'deal',
  before: Assigned | undefined,
  after: Assigned,
): Promise<Change> {
  const user_id = newAssignee(ctx, before?.assigned_user_id, after.assigned_user_id);
  if (user_id === null) return noChange;
  const payload = { id: after.id, record_type, name: after.name };
  const prompting_user_id = actorOf(ctx);
  const told = newNotification(
    { user_id, event: `${record_type}_assigned`, payload, prompting_user_id },
    ctx.now,
  );
  return { writes: [notify(told)], jobs: await sendingJobsOf(ctx, [told]) };
}
