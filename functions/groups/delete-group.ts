import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { lists } from '#shared/composition/lists.ts';
import { deleteGroup as remove } from '#shared/domain/identity/groups/delete.ts';

export const deleteGroup = route('deleteGroup', {
  method: 'DELETE',
  path: '/groups/{id}',
  access: 'write',
  summary: 'Delete a group',
  description:
    'Only by its creator and by account admins. Its users lose access through the group at once; ' +
    'its name is free again.',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-threads', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  deleteGroup,
  async ({ ctx, params }) => {
    await remove(ctx, params.id);
  },
  lists,
);
