import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { whole, wholeCollection } from '#shared/api/shapes.ts';
import { groupSchema, presentGroup } from '#shared/domain/identity/groups/group.ts';
import { listGroups as findGroups } from '#shared/domain/identity/groups/store.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';

export const listGroups = route('listGroups', {
  method: 'GET',
  path: '/groups',
  access: 'read',
  summary: 'List the groups of the account',
  description:
    'Every group with its users, returned whole and by name. All users of the account see all groups.',
  returns: { 200: { collection: wholeCollection(groupSchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listGroups, async ({ ctx }) => {
  const [groups, users] = await Promise.all([
    findGroups(ctx.table, ctx.caller.account.id),
    listUsers(ctx.table, ctx.caller.account.id),
  ]);
  return { collection: whole(groups.map((group) => presentGroup(group, users, ctx))) };
});
