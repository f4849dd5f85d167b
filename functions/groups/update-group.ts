import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { lists } from '#shared/composition/lists.ts';
import { groupChanges, groupSchema, presentGroup } from '#shared/domain/identity/groups/group.ts';
import { updateGroup as update } from '#shared/domain/identity/groups/update.ts';

export const updateGroup = route('updateGroup', {
  method: 'PATCH',
  path: '/groups/{id}',
  access: 'write',
  summary: 'Update a group',
  description:
    'Only by its creator and by account admins. Fields that are not sent stay, `null` clears, and `user_ids` ' +
    'replaces all users: removed users lose access through the group at once. One request adds and ' +
    'removes 90 users at most.',
  body: { group: groupChanges },
  examples: { body: { group: { name: 'Harbour office', color: '#2F6FED' } } },
  returns: { 200: { group: groupSchema } },
  errors: ['permission_denied', 'group_name_taken'],
  uses: ['table:write', 'queue:index-threads', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  updateGroup,
  async ({ ctx, params, body }) => {
    const { group, users } = await update(ctx, params.id, body.group);
    return { group: presentGroup(group, users, ctx) };
  },
  lists,
);
