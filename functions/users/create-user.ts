import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { lists } from '#shared/composition/lists.ts';
import { inviteUser } from '#shared/domain/identity/users/invite.ts';
import { presentUser, userDraft, userSchema } from '#shared/domain/identity/users/user.ts';

export const createUser = route('createUser', {
  method: 'POST',
  path: '/users',
  access: 'session',
  summary: 'Invite a user',
  description:
    'Only by account admins, and owners only by owners. An invitation is mailed; the user joins by signing in with this ' +
    'address for the first time.',
  body: { user: userDraft },
  examples: { body: { user: { email_address: 'lin@acme.example', name: 'Lin Clark', role: 'member' } } },
  returns: { 201: { user: userSchema } },
  errors: ['permission_denied', 'record_not_found', 'email_address_in_use', 'mail_unavailable'],
  uses: ['table:write', 'queue:send-mail', 'queue:index-records', 'queue:index-threads'],
  versioned: true,
});

export const handler = handle(
  createUser,
  async ({ ctx, body }) => ({ user: presentUser(await inviteUser(ctx, body.user), ctx.caller, ctx) }),
  lists,
);
