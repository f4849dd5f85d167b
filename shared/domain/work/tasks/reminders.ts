import { isThere } from '#shared/domain/collaboration/records/live.ts';
import {
  type FindReminders,
  noReminders,
  type Reminder,
} from '#shared/domain/collaboration/reminders/kind.ts';
import { MINUTE } from '#shared/domain/collaboration/reminders/minutes.ts';
import { keys } from '#shared/table/keys.ts';
import { isOpen, type Task } from './task.ts';

/** Reminders of open tasks that are due at a moment: for the assignee, or the owner when nobody is assigned. */

interface Moment {
  at: number;
  minutes: number;
}

function momentsOf(task: Task): Moment[] {
  const { due_at, reminders = [] } = task;
  if (!isOpen(task) || due_at === null) return [];
  return reminders.map((minutes) => ({ at: Date.parse(due_at) - minutes * MINUTE, minutes }));
}

/** The moment of the first reminder after this one. */
export function nextReminder(task: Task, after: number): number | undefined {
  const later = momentsOf(task).flatMap(({ at }) => (at > after ? [at] : []));
  return later.length > 0 ? Math.min(...later) : undefined;
}

function reminderOf(task: Task, { at, minutes }: Moment): Reminder {
  const { id, account_id, name, due_at, assigned_user_id, user_id } = task;
  return {
    account_id,
    record: { type: 'tasks', id, label: { name } },
    event: 'task_reminder',
    at,
    user_ids: [assigned_user_id ?? user_id],
    about: { minutes, due_at },
  };
}

export const taskReminders: FindReminders = async (table, id, { from, to }) => {
  const task = await table.get<Task>(keys.record('tasks', id));
  if (!isThere(task)) return noReminders;
  const due = momentsOf(task).filter(({ at }) => at >= from && at <= to);
  due.sort((a, b) => a.at - b.at);
  return { due: due.map((moment) => reminderOf(task, moment)), next: nextReminder(task, to) };
};
