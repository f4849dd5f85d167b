import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { groupRecord, presentGroup } from '#shared/domain/identity/groups/group.ts';
import { requireGroup } from '#shared/domain/identity/groups/store.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';

export const retrieveGroup = route('retrieveGroup', {
  method: 'GET',
  path: '/groups/{id}',
  access: 'read',
  summary: 'Retrieve a group',
  returns: { 200: { group: groupRecord } },
  uses: ['table:read'],
});

export const handler = handle(retrieveGroup, async ({ caller, params, table }) => {
  const group = await requireGroup(table, caller, params.id);
  const users = await findUsers(table, caller.account.id, Object.keys(group.members));
  return { group: presentGroup(group, users, caller.user) };
});
