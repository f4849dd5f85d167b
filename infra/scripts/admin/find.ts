import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { isWithdrawn } from '#shared/domain/identity/users/joined.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { nearest } from '#shared/nearest.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { Misuse } from '../../cli/options.ts';

/** Throws Misuse for an unknown account. */
export async function findAccount(table: Table, id: string): Promise<Account> {
  const account = await table.get<Account>(keys.account(id));
  if (!account) throw new Misuse(`There is no account ${id}: npm run admin -- list shows them all`);
  return account;
}

/** By id or email address. Throws Misuse for an unknown one. */
export async function findUser(table: Table, account: string, wanted: string): Promise<User> {
  const users = await listUsers(table, account);
  const found = users.find(
    (user) => user.id === wanted || (user.email_address === wanted && !isWithdrawn(user)),
  );
  if (found) return found;
  const near = nearest(
    wanted,
    users.map(({ email_address }) => email_address),
  );
  const hint = near ? `did you mean ${near}?` : `npm run admin -- list --account ${account} shows them`;
  throw new Misuse(`The account has no user ${wanted}: ${hint}`);
}
