import { audit } from '#shared/domain/identity/audit/audit.ts';
import { findLogin } from '#shared/domain/identity/users/addresses.ts';
import { neverJoined } from '#shared/domain/identity/users/joined.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { missing, type Table, update } from '#shared/table/table.ts';
import type { Account } from './account.ts';
import { closedKey } from './closed.ts';

/**
 * Opens a closed account again, before its data is erased: keys and sessions that have not expired work as before. What
 * the closing ended stays ended. Throws ConditionFailed for an account that is not closed, or is being erased.
 */
export async function reopenAccount(table: Table, account: Account, now: Date): Promise<void> {
  const { id, name, closed_at = '' } = account;
  await table.transact([
    update<Account>(keys.account(id), {
      set: { status: 'active', updated_at: nextMoment(account, now) },
      remove: ['closed_at'],
      when: { status: 'closed', closed_at, erasing: missing },
    }),
    { delete: closedKey(account) },
    audit({ now }, id, { action: 'account_reopened', subject: { type: 'account', id, name } }),
  ]);
}

/** Users whose address somebody took in the meantime: nobody signs in as them by it any more. */
export async function usersWithoutAddress(table: Table, account_id: string): Promise<User[]> {
  const users = await listUsers(table, account_id);
  const logins = await Promise.all(users.map(({ email_address }) => findLogin(table, email_address)));
  return users.filter((user, i) => (logins[i] ? logins[i].account_id !== account_id : !neverJoined(user)));
}
