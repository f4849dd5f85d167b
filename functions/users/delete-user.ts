import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { deactivateUser } from '#shared/domain/identity/users/leave.ts';
import { uuid } from '#shared/values.ts';

export const deleteUser = route('deleteUser', {
  method: 'DELETE',
  path: '/users/{id}',
  access: 'session',
  summary: 'Deactivate a user',
  description:
    'Only by account admins, and owners only by owners. Keys and sessions of the user end at once. What the user owned ' +
    'or worked on goes to `replacement_user_id`, or to the owner of the account; mailboxes are shared with them.',
  body: { replacement_user_id: uuid.nullish() },
  returns: { 204: null },
  errors: ['permission_denied', 'last_owner'],
  uses: ['table:write', 'queue:hand-over-records', 'queue:update-billing'],
  versioned: true,
});

export const handler = handle(deleteUser, async ({ ctx, params, body }) => {
  await deactivateUser(ctx, params.id, body.replacement_user_id ?? null);
});
