import { keys } from '../../table/keys.ts';
import { absent, type Table } from '../../table/table.ts';
import type { Account } from './account.ts';

export type AccountDraft = Pick<Account, 'id' | 'name' | 'owner_user_id'>;

export async function createAccount(table: Table, draft: AccountDraft, now: Date): Promise<Account> {
  const account: Account = {
    ...keys.account(draft.id),
    ...draft,
    api_access: 'enabled',
    features: { ask_assistant: true },
    status: 'active',
    created_at: now.toISOString(),
    updated_at: null,
  };
  await table.put(account, absent);
  return account;
}
