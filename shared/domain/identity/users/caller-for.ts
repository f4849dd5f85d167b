import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { findActiveUsers } from './store.ts';

/**
 * The caller for background work on behalf of a user, with the user's current access; undefined when the user or the
 * account is no longer active.
 */
export async function callerFor(
  table: Table,
  { account_id, user_id }: { account_id: string; user_id: string },
): Promise<Caller | undefined> {
  const [account, [user]] = await Promise.all([
    table.get<Account>(keys.account(account_id)),
    findActiveUsers(table, account_id, [user_id]),
  ]);
  if (account?.status !== 'active' || !user) return undefined;
  return { account, user, credential: { kind: 'session', tier: 'read_write', id: user.id } };
}
