import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { isOpen, type Task } from './task.ts';
import { changeTask } from './update.ts';

/** Who may change a task may complete and reopen it. A repeat changes nothing. */

type Ctx = CallerContext<SeesRecords & KeepsLists>;

export const completeTask = (ctx: Ctx, id: string): Promise<Task> =>
  changeTask(ctx, id, (task) => {
    if (!isOpen(task)) return task;
    return { ...task, completed_at: ctx.now.toISOString(), completed_by_user_id: ctx.caller.user.id };
  });

export const reopenTask = (ctx: Ctx, id: string): Promise<Task> =>
  changeTask(ctx, id, (task) => ({ ...task, completed_at: null, completed_by_user_id: null }));
