import * as z from 'zod';
import { moment } from '#shared/moments.ts';
import { derived, given, optional, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { nameText, timestamp, uuid } from '#shared/values.ts';

const tier = z.enum(['read', 'read_write']);

const keys = resource('ApiKey', {
  id: given(uuid),
  name: required(nameText(255).meta({ example: 'CRM export' }), z.string()),
  tier: required(tier, tier),
  prefix: given(z.string().meta({ example: 'wsk_live_Qm3x' })),
  user_id: given(uuid),
  last_used_at: derived(timestamp.nullable()),
  expires_at: optional(moment.nullish(), timestamp.nullable()),
  created_at: given(timestamp),
});

/**
 * The row of an API key in its account's list of keys. The credential itself is stored under the hash of the secret, so
 * a request finds it without knowing the account. `prefix` is the beginning of the secret, by which people recognize
 * the key.
 */
export type ApiKey = Item &
  StoredFields<typeof keys.fields> & {
    account_id: string;
    /** The key of the credential. */
    hash: string;
  };

export const apiKeyDraft = keys.draft.meta({ id: 'ApiKeyDraft' });

/** docs/specification/people.md, "API keys". */
export const apiKeySchema = keys.response;

export const issuedApiKeySchema = z
  .strictObject({
    ...keys.response.shape,
    secret: z.string().meta({
      description: 'The key itself. It is shown this once: only its hash is stored.',
      example: 'wsk_live_Qm3xT7hVb2LrK9pWc5Zd8NfYg4JsA6eU1tR0vB',
    }),
  })
  .meta({ id: 'IssuedApiKey' });

export function presentApiKey(row: ApiKey, last_used_at: string | null): z.infer<typeof apiKeySchema> {
  return keys.present(row, { last_used_at });
}

/** What audit events call it. */
export const subjectOf = ({ id, name }: Pick<ApiKey, 'id' | 'name'>) => ({
  type: 'api_key' as const,
  id,
  name,
});
