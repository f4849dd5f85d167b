import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { requireUsers } from '#shared/domain/identity/users/policy.ts';
import { presentUser, userSchema } from '#shared/domain/identity/users/user.ts';

export const retrieveUser = route('retrieveUser', {
  method: 'GET',
  path: '/users/{id}',
  access: 'read',
  summary: 'Retrieve a user of the account',
  returns: { 200: { user: userSchema } },
  uses: ['table:read'],
});

export const handler = handle(retrieveUser, async ({ ctx, params }) => {
  const [user] = await requireUsers(ctx.table, ctx.caller.account.id, [params.id]);
  return { user: presentUser(user ?? ctx.caller.user, ctx.caller, ctx) };
});
