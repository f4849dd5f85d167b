import { endSession } from '#shared/domain/identity/sessions/end.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { ApiKey } from './api-key.ts';
import type { Credential } from './credential.ts';
import { hashSecret } from './secret.ts';
import { findApiKey } from './store.ts';

/**
 * Deletes the credential first: from then on the key is refused, and if the second write fails, deleting the key again
 * completes it. A transaction would make requests with the key fail while it runs.
 */
export async function revokeApiKey(table: Table, row: ApiKey): Promise<void> {
  await table.delete(keys.credential(row.hash));
  await table.delete(keys.apiKeyRow(row.account_id, row.id));
}

/** Revokes the API key or the session of a leaked secret, and returns it; undefined when it is neither. */
export async function revokeSecret(table: Table, secret: string, now: Date): Promise<Credential | undefined> {
  const key = keys.credential(hashSecret(secret));
  const credential = await table.get<Credential>(key);
  if (!credential) return undefined;
  if (credential.kind === 'session') {
    await endSession(table, credential, 'service', now);
    await table.delete(key);
    return credential;
  }
  const row = await findApiKey(table, credential.account_id, credential.id);
  if (row) await revokeApiKey(table, row);
  else await table.delete(key);
  return credential;
}
