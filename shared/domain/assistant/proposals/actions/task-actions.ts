import * as z from 'zod';
import { planCompletion } from '#shared/domain/work/tasks/complete.ts';
import { planTask } from '#shared/domain/work/tasks/create.ts';
import { type Task, taskChanges, taskDraft } from '#shared/domain/work/tasks/task.ts';
import { planTaskChange, planTaskUpdate } from '#shared/domain/work/tasks/update.ts';
import { taskDeletion } from '#shared/domain/work/tasks/writes.ts';
import { uuid } from '#shared/values.ts';
import type { Actions } from './action.ts';
import { changing, creating, type Family } from './record-actions.ts';
import { statusField, taskFields } from './task-fields.ts';

const tasks: Family<Task> = {
  type: 'tasks',
  fields: taskFields,
  linksOf: ({ links }) => links,
  change: planTaskChange,
  deletion: taskDeletion,
};

/** Their parameters are those of the requests that do the same; `record_id` is the task. */
export const taskActions: Actions = {
  'task.create': creating(tasks, {
    params: taskDraft,
    params_hint:
      '{name, due_at: a date or time, all_day, priority: "low", "normal" or "high", assigned_user_id, thread_id, contact_ids, organization_ids, deal_id, description}',
    plan: planTask,
    settled: (draft, { due_at, assigned_user_id }) => ({ ...draft, due_at, assigned_user_id }),
    created: (task, proposal_id) => ({ ...task, proposal_id }),
  }),
  'task.update': changing(tasks, {
    params: taskChanges.extend({ record_id: uuid }),
    params_hint: '{record_id, and the fields to change}',
    plan: (ctx, { record_id, ...changes }) => planTaskUpdate(ctx, record_id, changes),
    title: (_, { name }) => `Change ${name}`,
    settled: (changes, { due_at }) => (changes.due_at === undefined ? changes : { ...changes, due_at }),
  }),
  'task.complete': changing(
    { ...tasks, fields: async () => [statusField] },
    {
      params: z.object({ record_id: uuid }),
      params_hint: '{record_id}',
      plan: (ctx, { record_id }) => planCompletion(ctx, record_id),
      title: (_, { name }) => `Complete ${name}`,
    },
  ),
};
