import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { presentUser, userSchema } from '#shared/domain/identity/users/user.ts';

export const retrieveCurrentUser = route('retrieveCurrentUser', {
  method: 'GET',
  path: '/users/me',
  access: 'read',
  summary: "Retrieve the key's user",
  returns: { 200: { user: userSchema } },
  uses: ['table:read'],
});

export const handler = handle(retrieveCurrentUser, ({ ctx }) => ({
  user: presentUser(ctx.caller.user, ctx.caller, ctx),
}));
