import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { groupSchema, presentGroup } from '#shared/domain/identity/groups/group.ts';
import { requireGroup } from '#shared/domain/identity/groups/policy.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';

export const retrieveGroup = route('retrieveGroup', {
  method: 'GET',
  path: '/groups/{id}',
  access: 'read',
  summary: 'Retrieve a group',
  returns: { 200: { group: groupSchema } },
  uses: ['table:read'],
});

export const handler = handle(retrieveGroup, async ({ ctx, params }) => {
  const group = await requireGroup(ctx, params.id);
  const users = await findUsers(ctx.table, ctx.caller.account.id, Object.keys(group.members));
  return { group: presentGroup(group, users, ctx) };
});
