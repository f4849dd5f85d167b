import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { requireTask } from '#shared/domain/work/tasks/policy.ts';
import { presentTask, taskSchema } from '#shared/domain/work/tasks/task.ts';

export const retrieveTask = route('retrieveTask', {
  method: 'GET',
  path: '/tasks/{id}',
  access: 'read',
  summary: 'Retrieve a task',
  returns: { 200: { task: taskSchema } },
  uses: ['table:read'],
});

export const handler = handle(
  retrieveTask,
  async ({ ctx, params }) => {
    const linked = new LinkedRecords(ctx);
    return { task: await presentTask(await requireTask(ctx, params.id, linked), linked) };
  },
  visibility,
);
