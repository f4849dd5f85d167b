import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { presentTask, taskChanges, taskSchema } from '#shared/domain/work/tasks/task.ts';
import { updateTask as update } from '#shared/domain/work/tasks/update.ts';

export const updateTask = route('updateTask', {
  method: 'PATCH',
  path: '/tasks/{id}',
  access: 'write',
  summary: 'Update a task',
  description:
    'Fields that are not sent stay, `null` clears, and an array replaces the whole array, except links to records that the key’s user does not see.',
  body: { task: taskChanges },
  examples: { body: { task: { due_at: 'week', all_day: true, description: null } } },
  returns: { 200: { task: taskSchema } },
  errors: ['permission_denied', 'external_id_taken'],
  uses: ['table:write', 'queue:index-records', 'queue:push-notifications'],
  versioned: true,
});

export const handler = handle(
  updateTask,
  async ({ ctx, params, body }) => ({
    task: await presentTask(await update(ctx, params.id, body.task), new LinkedRecords(ctx)),
  }),
  { ...recordLists, ...keeping },
);
