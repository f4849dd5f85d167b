import { invalidField } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Table } from '#shared/table/table.ts';
import type { ApiKey } from './api-key.ts';
import { type CredentialDraft, newCredential } from './issue.ts';
import { secretHint } from './secret.ts';
import type { Credential } from './store.ts';

/** API keys: a credential and its row in the account's list. */

export type ApiKeyDraft = Omit<CredentialDraft, 'kind'> & { name: string };

/** One transaction, so that there is never a key that works and cannot be seen, or the other way round. */
export async function createApiKey(
  table: Table,
  draft: ApiKeyDraft,
  now: Date,
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
  ]);
  return { row, secret };
}

export interface ListedApiKey {
  row: ApiKey;
  last_used_at: string | null;
}

/** The keys of the account, or of one of its users, oldest first. A revoked key whose row is left over is none. */
export async function listApiKeys(table: Table, account: string, user?: string): Promise<ListedApiKey[]> {
  const all = await table.all<ApiKey>(keys.account(account).PK, 'APIKEY#');
  const rows = user === undefined ? all : all.filter((row) => row.user_id === user);
  const credentials = await table.getMany<Credential>(rows.map((row) => keys.credential(row.hash)));
  const byId = new Map(credentials.map((credential) => [credential.id, credential]));
  return rows
    .filter((row) => byId.has(row.id))
    .map((row) => ({ row, last_used_at: byId.get(row.id)?.used_at ?? null }));
}

/** Keys of a user: an admin's list has those of everybody. */
const MAX_KEYS = 100;

/** 400 when the user has as many keys as one may have. */
export async function requireRoomForKey(table: Table, account: string, user: string): Promise<void> {
  if ((await listApiKeys(table, account, user)).length >= MAX_KEYS)
    throw invalidField('api_key', 'invalid', `cannot be added: a user has at most ${MAX_KEYS} keys`);
}

export function findApiKey(table: Table, account: string, id: string): Promise<ApiKey | undefined> {
  return table.get<ApiKey>(keys.apiKeyRow(account, id));
}

/**
 * The credential goes first: from then on the key is refused, and should the second write fail, deleting the key again
 * finishes it. A transaction would make requests with the key fail while it runs.
 */
export async function revokeApiKey(table: Table, row: ApiKey): Promise<void> {
  await table.delete(keys.credential(row.hash));
  await table.delete(keys.apiKeyRow(row.account_id, row.id));
}
