import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { ApiKey } from './api-key.ts';

/**
 * Deletes the credential first: from then on the key is refused, and if the second write fails, deleting the key again
 * completes it. A transaction would make requests with the key fail while it runs.
 */
export async function revokeApiKey(table: Table, row: ApiKey): Promise<void> {
  await table.delete(keys.credential(row.hash));
  await table.delete(keys.apiKeyRow(row.account_id, row.id));
}
