import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { completeTask as complete } from '#shared/domain/work/tasks/complete.ts';

export const completeTask = route('completeTask', {
  method: 'POST',
  path: '/tasks/{task_id}/completion',
  access: 'write',
  summary: 'Complete a task',
  description: 'By whoever may change it; a repeat changes nothing.',
  returns: { 200: okResponse },
  errors: ['record_not_found', 'permission_denied'],
  uses: ['table:write', 'queue:index-records'],
});

export const handler = handle(
  completeTask,
  async ({ ctx, params }) => {
    await complete(ctx, params.task_id);
    return ok;
  },
  { ...recordLists, ...visibility },
);
