import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { commitPlan, type Plan } from '#shared/domain/collaboration/records/plan.ts';
import { requireVisibilityRight } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { requireEditableTask } from './policy.ts';
import { withSent } from './sent.ts';
import type { Task, TaskChanges } from './task.ts';
import { taskChange } from './writes.ts';

/**
 * What `make` makes of a task. 404 for one that the caller does not see, 403 for one that the caller may only look at, or
 * may not make private.
 */
export async function planTaskChange(
  ctx: CallerContext<SeesRecords>,
  id: string,
  make: (before: Task, linked: LinkedRecords) => Task | Promise<Task>,
): Promise<Plan<Task>> {
  const linked = new LinkedRecords(ctx);
  const before = await requireEditableTask(ctx, id, linked);
  const made = await make(before, linked);
  requireVisibilityRight(before, ctx.caller.user, made.visibility);
  const planned = afterChange(before, made, ctx.now);
  return { before, after: planned, change: (after = planned) => taskChange(ctx, before, after) };
}

/** As in `planTaskChange` and `withSent`, with changes that follow from the task. */
export const planTaskUpdateBy = (
  ctx: CallerContext<SeesRecords>,
  id: string,
  changesOf: (before: Task) => TaskChanges,
) => planTaskChange(ctx, id, (before, linked) => withSent(ctx, before, changesOf(before), linked));

/** As in `planTaskUpdateBy`. */
export const planTaskUpdate = (ctx: CallerContext<SeesRecords>, id: string, changes: TaskChanges) =>
  planTaskUpdateBy(ctx, id, () => changes);

/** As in `planTaskUpdate`; 409 as in `taskChange`. */
export async function updateTask(
  ctx: CallerContext<SeesRecords & KeepsLists>,
  id: string,
  changes: TaskChanges,
): Promise<Task> {
  return (await commitPlan(ctx, () => planTaskUpdate(ctx, id, changes))).after;
}
