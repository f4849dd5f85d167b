import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { lists } from '#shared/composition/lists.ts';
import { leaveGroup } from '#shared/domain/identity/groups/leave.ts';

export const deleteMembership = route('deleteMembership', {
  method: 'DELETE',
  path: '/groups/{group_id}/memberships/{user_id}',
  access: 'write',
  summary: 'Remove a user from a group',
  description:
    'By the creator of the group, by account admins, and by the user who leaves. Access through the group ends at ' +
    'once.',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-threads', 'queue:index-records'],
});

export const handler = handle(
  deleteMembership,
  async ({ ctx, params }) => {
    await leaveGroup(ctx, params.group_id, params.user_id);
  },
  lists,
);
