import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { apiKeySchema, presentApiKey } from '#shared/domain/identity/credentials/api-key.ts';
import { keysSeenBy } from '#shared/domain/identity/credentials/policy.ts';
import { listApiKeys as findApiKeys } from '#shared/domain/identity/credentials/store.ts';

export const listApiKeys = route('listApiKeys', {
  method: 'GET',
  path: '/api_keys',
  access: 'session',
  summary: 'List API keys',
  description: "The user's own keys; account admins see those of all users. Oldest first, without secrets.",
  returns: { 200: { api_keys: z.array(apiKeySchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listApiKeys, async ({ ctx }) => {
  const found = await findApiKeys(ctx.table, ctx.caller.account.id, keysSeenBy(ctx.caller));
  return { api_keys: found.map(({ row, last_used_at }) => presentApiKey(row, last_used_at)) };
});
