import * as z from 'zod';
import { moment } from '#shared/moments.ts';
import type { Item } from '#shared/table/table.ts';
import { nameText, timestamp, uuid } from '#shared/values.ts';

/**
 * The row of an API key in its account's list of keys. The credential itself is stored under the hash of the secret,
 * so that a request finds it without knowing the account.
 */
export type ApiKey = Item & {
  id: string;
  account_id: string;
  user_id: string;
  name: string;
  tier: 'read' | 'read_write';
  /** The beginning of the secret, for people to recognize the key by. */
  prefix: string;
  /** Leads to the credential. */
  hash: string;
  expires_at: string | null;
  created_at: string;
};

const tier = z.enum(['read', 'read_write']);

export const apiKeyDraft = z
  .object({
    name: nameText(255).meta({ example: 'CRM export' }),
    tier,
    expires_at: moment.nullish(),
  })
  .meta({ id: 'ApiKeyDraft' });

const fields = {
  id: uuid,
  name: z.string(),
  tier,
  prefix: z.string().meta({ example: 'wsk_live_Qm3x' }),
  user_id: uuid,
  last_used_at: timestamp.nullable(),
  expires_at: timestamp.nullable(),
  created_at: timestamp,
};

/** docs/specification/people.md, "API keys". */
export const apiKeyRecord = z.strictObject(fields).meta({ id: 'ApiKey' });

export const issuedApiKeyRecord = z
  .strictObject({
    ...fields,
    secret: z.string().meta({
      description: 'The key itself. It is shown this once: only its hash is stored.',
      example: 'wsk_live_Qm3xT7hVb2LrK9pWc5Zd8NfYg4JsA6eU1tR0vB',
    }),
  })
  .meta({ id: 'IssuedApiKey' });

export function presentApiKey(row: ApiKey, last_used_at: string | null): z.infer<typeof apiKeyRecord> {
  return {
    id: row.id,
    name: row.name,
    tier: row.tier,
    prefix: row.prefix,
    user_id: row.user_id,
    last_used_at,
    expires_at: row.expires_at,
    created_at: row.created_at,
  };
}
