import { type Acting, audit } from '#shared/domain/identity/audit/audit.ts';
import { additionsOf, oneMore } from '#shared/domain/platform/limits/additions.ts';
import { invalidField } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Table, type Write } from '#shared/table/table.ts';
import { type ApiKey, subjectOf } from './api-key.ts';
import { type CredentialDraft, newCredential } from './issue.ts';
import { secretHint } from './secret.ts';
import { listApiKeys } from './store.ts';

export type ApiKeyDraft = Omit<CredentialDraft, 'kind'> & { name: string };

/**
 * One transaction, so that no key works without being listed, and none is listed that does not work. `room` is what
 * `roomForKey` returned.
 */
export async function createApiKey(
  table: Table,
  draft: ApiKeyDraft,
  now: Date,
  { room, ...by }: Acting & { room?: Write } = {},
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
    ...(room ? [room] : []),
    audit({ ...by, now }, row.account_id, { action: 'api_key_created', subject: subjectOf(row) }),
  ]);
  return { row, secret };
}

/** Keys of a user: an admin's list has the keys of all users. */
const MAX_KEYS = 100;

/** 400 when the user has the maximum number of keys. The write fails when another one was made meanwhile. */
export async function roomForKey(table: Table, account: string, user: string): Promise<Write> {
  const additions = await additionsOf(table, user, 'api_keys');
  if ((await listApiKeys(table, account, user)).length >= MAX_KEYS)
    throw invalidField('api_key', 'invalid', `cannot be added: a user has at most ${MAX_KEYS} keys`);
  return oneMore(additions);
}
