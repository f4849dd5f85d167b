import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { ApiKey } from './api-key.ts';

/**
 * The credential goes first: from then on the key is refused, and should the second write fail, deleting the key again
 * finishes it. A transaction would make requests with the key fail while it runs.
 */
export async function revokeApiKey(table: Table, row: ApiKey): Promise<void> {
  await table.delete(keys.credential(row.hash));
  await table.delete(keys.apiKeyRow(row.account_id, row.id));
}
