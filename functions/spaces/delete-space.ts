import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { deleteSpace as remove } from '#shared/domain/crm/spaces/delete.ts';

export const deleteSpace = route('deleteSpace', {
  method: 'DELETE',
  path: '/spaces/{id}',
  access: 'write',
  summary: 'Delete a space',
  description:
    'For its owner, and for admins who see it. Its comments, shares and memberships are deleted with it; its contacts, ' +
    'organizations, tasks and milestones stay.',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  deleteSpace,
  async ({ ctx, params }) => {
    await remove(ctx, params.id);
  },
  recordLists,
);
