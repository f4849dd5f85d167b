import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { removeMember } from '#shared/domain/crm/spaces/memberships/remove.ts';

export const deleteSpaceMembership = route('deleteSpaceMembership', {
  method: 'DELETE',
  path: '/spaces/{space_id}/memberships/{id}',
  access: 'write',
  summary: 'Take a contact or an organization out of a space',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-records'],
});

export const handler = handle(
  deleteSpaceMembership,
  async ({ ctx, params }) => {
    await removeMember(ctx, params.space_id, params.id);
  },
  recordLists,
);
