import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { findApiKey, revokeApiKey } from '#shared/domain/identity/credentials/api-keys.ts';
import { isAdmin } from '#shared/domain/identity/users/policy.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';

export const deleteApiKey = route('deleteApiKey', {
  method: 'DELETE',
  path: '/api_keys/{id}',
  access: 'session',
  summary: 'Revoke an API key',
  description: 'The key is refused from then on. Account admins may revoke the keys of all users.',
  returns: { 204: null },
  errors: ['forbidden'],
  uses: ['table:write'],
});

export const handler = handle(deleteApiKey, async ({ ctx, params }) => {
  const row = await findApiKey(ctx.table, ctx.caller.account.id, params.id);
  if (!row) throw recordNotFound();
  if (row.user_id !== ctx.caller.user.id && !isAdmin(ctx.caller.user)) throw new ApiError('forbidden');
  await revokeApiKey(ctx.table, row);
});
