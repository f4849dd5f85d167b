import { localTime } from '#shared/domain/assistant/daily-briefings/day.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { isAssignedTo, ofSlice } from '#shared/domain/work/tasks/criteria.ts';
import { tasksWith } from '#shared/domain/work/tasks/store.ts';
import type { Task } from '#shared/domain/work/tasks/task.ts';
import type { DayContext, SectionKind } from './section.ts';

interface DueTask {
  task: Task;
  state: 'overdue' | 'today';
}

async function tasksIn(ctx: DayContext, state: DueTask['state'], limit: number): Promise<DueTask[]> {
  const criteria = [ofSlice(state, ctx), isAssignedTo(ctx.caller.user.id)];
  const query = tasksWith(ctx, criteria, new LinkedRecords(ctx));
  const { rows } = await findRecords(ctx, { ...query, order: 'asc' }, { limit, after: undefined });
  return rows.map((task) => ({ task, state }));
}

/** A task that was due earlier today is both overdue and due today. */
function eachOnce(found: DueTask[]): DueTask[] {
  const seen = new Set<string>();
  return found.filter(({ task: { id } }) => !seen.has(id) && seen.add(id));
}

/** Open ones that are assigned to the user: overdue ones, then those of today, by when they are due. */
export const tasks: SectionKind<DueTask> = {
  title: 'Tasks due',
  type: 'task',
  label: 'Task',
  columns: [
    { key: 'due', label: 'Due', kind: 'date' },
    { key: 'state', label: 'State' },
  ],
  async find(ctx, limit) {
    const { time_zone } = ctx.caller.user;
    const found = await Promise.all([tasksIn(ctx, 'overdue', limit), tasksIn(ctx, 'today', limit)]);
    return {
      records: eachOnce(found.flat()).slice(0, limit),
      rowsOf: async (shown) =>
        shown.map(({ task: { id, name, due_on, due_at }, state }) => ({
          ...{ id, name },
          cells: { due: due_on ?? localTime(time_zone, due_at ?? ''), state },
        })),
    };
  },
};
