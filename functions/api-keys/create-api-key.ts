import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import {
  apiKeyDraft,
  issuedApiKeySchema,
  presentApiKey,
} from '#shared/domain/identity/credentials/api-key.ts';
import { addApiKey } from '#shared/domain/identity/credentials/create.ts';
import { requireIssuable } from '#shared/domain/identity/credentials/policy.ts';
import { invalidField } from '#shared/errors.ts';
import { readMoment } from '#shared/moments.ts';

export const createApiKey = route('createApiKey', {
  method: 'POST',
  path: '/api_keys',
  access: 'session',
  summary: 'Create an API key',
  description:
    'The key acts as its user. Only this response contains its secret. A read_write key cannot be created while the ' +
    "account's API access is read-only, and none while it is off.",
  body: { api_key: apiKeyDraft },
  returns: { 201: { api_key: issuedApiKeySchema } },
  errors: ['api_access_read_only', 'api_access_disabled'],
  uses: ['table:write'],
});

export const handler = handle(createApiKey, async ({ ctx, body }) => {
  const { name, tier, expires_at: sent } = body.api_key;
  const expires_at = sent ? readMoment(sent, ctx.caller.user.time_zone) : null;
  if (expires_at && expires_at <= ctx.now)
    throw invalidField('expires_at', 'invalid', 'must be in the future');
  requireIssuable(ctx.caller, tier);
  const { account, user } = ctx.caller;
  const draft = { account_id: account.id, user_id: user.id, name, tier, expires_at };
  const { row, secret } = await addApiKey(ctx.table, draft, ctx.now, ctx);
  return { api_key: { ...presentApiKey(row, null), secret } };
});
