import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { whole, wholeCollection } from '#shared/api/shapes.ts';
import { listUsers as findUsers } from '#shared/domain/identity/users/store.ts';
import { presentUser, userSchema } from '#shared/domain/identity/users/user.ts';

export const listUsers = route('listUsers', {
  method: 'GET',
  path: '/users',
  access: 'read',
  summary: 'List the users of the account',
  description: 'Every user, returned whole; including deactivated users, as `status` tells.',
  returns: { 200: { collection: wholeCollection(userSchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listUsers, async ({ ctx }) => {
  const users = await findUsers(ctx.table, ctx.caller.account.id);
  return { collection: whole(users.map((user) => presentUser(user, ctx.caller, ctx))) };
});
