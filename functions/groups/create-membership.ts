import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { lists } from '#shared/composition/lists.ts';
import { membershipSchema } from '#shared/domain/identity/groups/group.ts';
import { joinGroup } from '#shared/domain/identity/groups/join.ts';
import { uuid } from '#shared/values.ts';

export const createMembership = route('createMembership', {
  method: 'POST',
  path: '/groups/{group_id}/memberships',
  access: 'write',
  summary: 'Add a user to a group',
  description:
    'Only by the creator of the group and by account admins. For a user who is already in the group, returns the ' +
    'existing membership. A group has at most 90 users.',
  body: { user_id: uuid },
  returns: { 200: { membership: membershipSchema } },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-threads', 'queue:index-records'],
});

export const handler = handle(
  createMembership,
  async ({ ctx, params, body }) => ({
    membership: await joinGroup(ctx, params.group_id, body.user_id),
  }),
  lists,
);
