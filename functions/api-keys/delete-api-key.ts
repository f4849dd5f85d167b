import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { revokeApiKey } from '#shared/domain/identity/credentials/delete.ts';
import { requireRevocable } from '#shared/domain/identity/credentials/policy.ts';

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
  await revokeApiKey(ctx, await requireRevocable(ctx, params.id));
});
