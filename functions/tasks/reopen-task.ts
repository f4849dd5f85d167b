import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { reopenTask as reopen } from '#shared/domain/work/tasks/complete.ts';

export const reopenTask = route('reopenTask', {
  method: 'DELETE',
  path: '/tasks/{task_id}/completion',
  access: 'write',
  summary: 'Reopen a task',
  description: 'By whoever may change it; a repeat changes nothing.',
  returns: { 204: null },
  errors: ['record_not_found', 'permission_denied'],
  uses: ['table:write', 'queue:index-records'],
});

export const handler = handle(
  reopenTask,
  async ({ ctx, params }) => {
    await reopen(ctx, params.task_id);
  },
  { ...recordLists, ...visibility },
);
