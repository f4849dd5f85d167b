import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Table } from '#shared/table/table.ts';
import type { Account } from './account.ts';

export type AccountDraft = Pick<Account, 'id' | 'name' | 'owner_user_id' | 'time_zone'>;

/** An active account, not stored yet. */
export function newAccount(draft: AccountDraft, now: Date): Account {
  return {
    ...keys.account(draft.id),
    ...draft,
    api_access: 'enabled',
    features: { ask_assistant: true },
    status: 'active',
    created_at: now.toISOString(),
    updated_at: null,
  };
}

export async function createAccount(table: Table, draft: AccountDraft, now: Date): Promise<Account> {
  const account = newAccount(draft, now);
  await table.put(account, mustNotExist);
  return account;
}
