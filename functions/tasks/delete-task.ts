import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { deleteTask as remove } from '#shared/domain/work/tasks/delete.ts';

export const deleteTask = route('deleteTask', {
  method: 'DELETE',
  path: '/tasks/{id}',
  access: 'write',
  summary: 'Delete a task',
  description: 'Its shares are deleted with it. The records that it is about stay.',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  deleteTask,
  async ({ ctx, params }) => {
    await remove(ctx, params.id);
  },
  { ...recordLists, ...visibility },
);
