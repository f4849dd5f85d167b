import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { commitPlan } from '#shared/domain/collaboration/records/plan.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { isOpen, type Task } from './task.ts';
import { planTaskChange } from './update.ts';

/** Who may change a task may complete and reopen it. A repeat changes nothing. */

type Ctx = CallerContext<SeesRecords & KeepsLists>;

export const planCompletion = (ctx: CallerContext<SeesRecords>, id: string) =>
  planTaskChange(ctx, id, (task) => {
    if (!isOpen(task)) return task;
    return { ...task, completed_at: ctx.now.toISOString(), completed_by_user_id: ctx.caller.user.id };
  });

const planReopening = (ctx: CallerContext<SeesRecords>, id: string) =>
  planTaskChange(ctx, id, (task) => ({ ...task, completed_at: null, completed_by_user_id: null }));

export async function completeTask(ctx: Ctx, id: string): Promise<Task> {
  return (await commitPlan(ctx, () => planCompletion(ctx, id))).after;
}

export async function reopenTask(ctx: Ctx, id: string): Promise<Task> {
  return (await commitPlan(ctx, () => planReopening(ctx, id))).after;
}
