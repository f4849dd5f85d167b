import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import { htmlToText } from '#shared/domain/platform/html/text.ts';
import { requireTask } from '#shared/domain/work/tasks/policy.ts';
import { presentTasks, type Task, type TaskRecord } from '#shared/domain/work/tasks/task.ts';
import type { TaskRow, TaskView } from '../views.ts';
import { shorten } from './comments.ts';
import { give, type ToolContext } from './context.ts';

const DESCRIPTION = 2_000;

function taskRow(task: TaskRecord, due_on: string | null, users: ReadonlyMap<string, string>): TaskRow {
  const { id, name, status, due_at, priority, assigned_user_id } = task;
  const about = task.refs.flatMap(({ type, id, label }) =>
    label === null ? [] : [{ type, id, name: label }],
  );
  return {
    id,
    name,
    status,
    due_at: due_on ?? due_at,
    priority,
    assignee: users.get(assigned_user_id ?? '') ?? null,
    about,
  };
}

/** Tasks as the user sees them: without the records that are hidden. */
export async function taskRows(
  ctx: ToolContext,
  tasks: Task[],
  linked = new LinkedRecords(ctx),
): Promise<TaskRow[]> {
  const ids = [...new Set(tasks.flatMap(({ assigned_user_id }) => assigned_user_id ?? []))];
  const [records, users] = await Promise.all([
    presentTasks(tasks, linked),
    findUsers(ctx.table, ctx.caller.account.id, ids),
  ]);
  const names = new Map(users.map(({ id, name }) => [id, name]));
  const rows = records.map((record, i) => taskRow(record, tasks[i]?.due_on ?? null, names));
  for (const { id, about } of rows) {
    give(ctx, 'task', [id]);
    for (const ref of about) give(ctx, ref.type, [ref.id]);
  }
  return rows;
}

/** 404 for a task that the user does not see. */
export async function readTask(ctx: ToolContext, id: string): Promise<TaskView> {
  const linked = new LinkedRecords(ctx);
  const task = await requireTask(ctx, id, linked);
  const [row] = await taskRows(ctx, [task], linked);
  const { description, completed_at } = task;
  return {
    ...(row as TaskRow),
    type: 'task',
    description: description && shorten(htmlToText(description), DESCRIPTION),
    completed_at,
  };
}
