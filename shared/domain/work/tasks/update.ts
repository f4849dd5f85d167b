import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { requireVisibilityRight } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireEditableTask } from './policy.ts';
import { withSent } from './sent.ts';
import type { Task, TaskChanges } from './task.ts';
import { taskChange } from './writes.ts';

type Ctx = CallerContext<SeesRecords & KeepsLists>;

/** Commits what `change` makes of a task that the caller may change, unless it makes nothing of it. */
export function changeTask(
  ctx: Ctx,
  id: string,
  change: (before: Task, linked: LinkedRecords) => Task | Promise<Task>,
): Promise<Task> {
  return retryOnConflict(async () => {
    const linked = new LinkedRecords(ctx);
    const before = await requireEditableTask(ctx, id, linked);
    const after = afterChange(before, await change(before, linked), ctx.now);
    await commit(ctx, await taskChange(ctx, before, after));
    return after;
  });
}

/** 404 for a task that the caller does not see, 403 for one that the caller may only look at; 409 as in `taskChange`. */
export function updateTask(ctx: Ctx, id: string, changes: TaskChanges): Promise<Task> {
  return changeTask(ctx, id, (before, linked) => {
    if (changes.visibility !== undefined) requireVisibilityRight(before, ctx.caller.user, changes.visibility);
    return withSent(ctx, before, changes, linked);
  });
}
