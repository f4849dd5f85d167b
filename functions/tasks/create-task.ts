import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { Updated, upserting } from '#shared/api/upsert.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { createTask as create } from '#shared/domain/work/tasks/create.ts';
import { presentTask, type Task, taskDraft, taskSchema } from '#shared/domain/work/tasks/task.ts';
import { upsertTask } from '#shared/domain/work/tasks/upsert.ts';

export const createTask = route('createTask', {
  method: 'POST',
  path: '/tasks',
  access: 'write',
  summary: 'Create a task',
  description:
    'Assigned to the key’s user unless another is named, who is notified. Without a visibility it is seen by who sees a linked record, and private without links.',
  query: upserting,
  body: { task: taskDraft },
  examples: { body: { task: { name: 'Call the shipyard', due_at: 'tonight', priority: 'high' } } },
  returns: { 201: { task: taskSchema } },
  errors: ['record_not_found', 'permission_denied', 'external_id_taken'],
  uses: ['table:write', 'queue:index-records', 'queue:push-notifications'],
  versioned: true,
});

export const handler = handle(
  createTask,
  async ({ ctx, query, body }) => {
    const present = async (task: Task) => ({ task: await presentTask(task, new LinkedRecords(ctx)) });
    if (query.upsert === undefined) return present(await create(ctx, body.task));
    const { before, after } = await upsertTask(ctx, body.task);
    return before ? new Updated(await present(after)) : present(after);
  },
  { ...recordLists, ...keeping },
);
