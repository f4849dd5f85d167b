import { countRecords } from '#shared/domain/collaboration/record-lists/count.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { type TaskFilters, taskCriteria } from '#shared/domain/work/tasks/filters.ts';
import { tasksWith } from '#shared/domain/work/tasks/store.ts';
import type { TaskRow } from '../views.ts';
import type { ToolContext } from './context.ts';
import { taskRows } from './read-task.ts';

const FOUND = 20;
/** Where counting stops. */
const CAP = 1_000;

/** Tasks that the user sees, by when they are due, with their number. */
export async function searchTasks(
  ctx: ToolContext,
  { mine, ...filters }: TaskFilters & { mine?: boolean | undefined },
): Promise<{ tasks: TaskRow[]; total: number }> {
  const linked = new LinkedRecords(ctx);
  const assigned = mine ? { assigned_user_id: ctx.caller.user.id } : {};
  const query = tasksWith(ctx, await taskCriteria(ctx, { ...filters, ...assigned }, { linked }), linked);
  const [{ rows }, { total }] = await Promise.all([
    findRecords(ctx, { ...query, order: 'asc' }, { limit: FOUND, after: undefined }),
    countRecords(ctx, query, CAP),
  ]);
  return { tasks: await taskRows(ctx, rows, linked), total };
}
