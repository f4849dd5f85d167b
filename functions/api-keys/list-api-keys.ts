import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { apiKeyRecord, presentApiKey } from '#shared/domain/identity/credentials/api-key.ts';
import { listApiKeys as findApiKeys } from '#shared/domain/identity/credentials/api-keys.ts';
import { isAdmin } from '#shared/domain/identity/users/policy.ts';

export const listApiKeys = route('listApiKeys', {
  method: 'GET',
  path: '/api_keys',
  access: 'session',
  summary: 'List API keys',
  description: "The user's own keys; account admins see those of all users. Oldest first, without secrets.",
  returns: { 200: { api_keys: z.array(apiKeyRecord) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listApiKeys, async ({ ctx }) => {
  const { account, user } = ctx.caller;
  const found = await findApiKeys(ctx.table, account.id, isAdmin(user) ? undefined : user.id);
  return { api_keys: found.map(({ row, last_used_at }) => presentApiKey(row, last_used_at)) };
});
