import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { ApiKey } from './api-key.ts';
import type { Credential } from './credential.ts';

export interface ListedApiKey {
  row: ApiKey;
  last_used_at: string | null;
}

/** The keys of the account, or of one of its users, oldest first, without leftover rows of revoked keys. */
export async function listApiKeys(table: Table, account: string, user?: string): Promise<ListedApiKey[]> {
  const all = await table.all<ApiKey>(keys.account(account).PK, 'APIKEY#');
  const rows = user === undefined ? all : all.filter((row) => row.user_id === user);
  const credentials = await table.getMany<Credential>(rows.map((row) => keys.credential(row.hash)));
  const byId = new Map(credentials.map((credential) => [credential.id, credential]));
  return rows
    .filter((row) => byId.has(row.id))
    .map((row) => ({ row, last_used_at: byId.get(row.id)?.used_at ?? null }));
}

export function findApiKey(table: Table, account: string, id: string): Promise<ApiKey | undefined> {
  return table.get<ApiKey>(keys.apiKeyRow(account, id));
}
