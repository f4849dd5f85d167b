import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** The caller as with a session, for tests that call the domain. */
export async function callerOf(table: Table, of: Pick<User, 'id' | 'account_id'>): Promise<Caller> {
  const [account, [user]] = await Promise.all([
    table.get<Account>(keys.account(of.account_id)),
    findUsers(table, of.account_id, [of.id]),
  ]);
  if (!account || !user) throw new Error('There is no such user');
  return { account, user, credential: { kind: 'session', tier: 'read_write', id: user.id } };
}
