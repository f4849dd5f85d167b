import { type Acting, audit } from '#shared/domain/identity/audit/audit.ts';
import { invalidField } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Table } from '#shared/table/table.ts';
import { type ApiKey, subjectOf } from './api-key.ts';
import { type CredentialDraft, newCredential } from './issue.ts';
import { secretHint } from './secret.ts';
import { listApiKeys } from './store.ts';

export type ApiKeyDraft = Omit<CredentialDraft, 'kind'> & { name: string };

/** One transaction, so that no key works without being listed, and none is listed that does not work. */
export async function createApiKey(
  table: Table,
  draft: ApiKeyDraft,
  now: Date,
  by: Acting = {},
): Promise<{ row: ApiKey; secret: string }> {
  const { credential, secret, hash } = newCredential({ ...draft, kind: 'api_key' }, now);
  const row: ApiKey = {
    ...keys.apiKeyRow(draft.account_id, credential.id),
    id: credential.id,
    account_id: draft.account_id,
    user_id: draft.user_id,
    name: draft.name,
    tier: draft.tier,
    prefix: secretHint(secret),
    hash,
    expires_at: draft.expires_at?.toISOString() ?? null,
    created_at: now.toISOString(),
  };
  await table.transact([
    { put: credential, when: mustNotExist },
    { put: row, when: mustNotExist },
    audit({ ...by, now }, row.account_id, { action: 'api_key_created', subject: subjectOf(row) }),
  ]);
  return { row, secret };
}

/** Keys of a user: an admin's list has the keys of all users. */
const MAX_KEYS = 100;

/** 400 when the user has the maximum number of keys. */
export async function requireRoomForKey(table: Table, account: string, user: string): Promise<void> {
  if ((await listApiKeys(table, account, user)).length >= MAX_KEYS)
    throw invalidField('api_key', 'invalid', `cannot be added: a user has at most ${MAX_KEYS} keys`);
}
