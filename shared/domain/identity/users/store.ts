import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { keys, nameOfKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type GroupAccess, withGroupAccess } from './access.ts';
import type { User } from './user.ts';

/** Users loaded from here include the access of their groups. */

export async function listUsers(table: Table, account: string): Promise<User[]> {
  const [users, access] = await Promise.all([
    table.all<User>(keys.account(account).PK, 'USER#'),
    table.get<GroupAccess>(keys.groupAccess(account)),
  ]);
  return users.map((user) => withGroupAccess(user, access));
}

/** The existing users of the account, in any status. */
export async function findUsers(table: Table, account: string, ids: string[]): Promise<User[]> {
  if (ids.length === 0) return [];
  const accessKey = keys.groupAccess(account);
  const found = await table.getMany([accessKey, ...ids.map((id) => keys.user(account, id))]);
  const access = found.find((item) => item.SK === accessKey.SK);
  const users = found.filter((item) => item !== access) as User[];
  return users.map((user) => withGroupAccess(user, access));
}

interface Belonging {
  account_id: string;
  user_id: string;
}

interface WithAccount {
  user: User;
  account: Account;
}

/** A user in any status with the account, in any status; undefined when there is none. */
export const findWithAccount = async (table: Table, belonging: Belonging): Promise<WithAccount | undefined> =>
  (await findEachWithAccount(table, [belonging]))[0];

/** The same of users of several accounts, 33 at most in one read. */
export async function findEachWithAccount(table: Table, belonging: Belonging[]): Promise<WithAccount[]> {
  const wanted = belonging.map(({ account_id, user_id }) => [
    keys.account(account_id),
    keys.user(account_id, user_id),
    keys.groupAccess(account_id),
  ]);
  const found = await table.getMany(wanted.flat());
  const byName = new Map(found.map((item) => [nameOfKey(item), item]));
  return wanted.flatMap((each) => {
    const [account, user, access] = each.map((key) => byName.get(nameOfKey(key)));
    if (!account || !user) return [];
    return [{ account: account as Account, user: withGroupAccess(user as User, access as GroupAccess) }];
  });
}

export async function findActiveUsers(table: Table, account: string, ids: string[]): Promise<User[]> {
  return (await findUsers(table, account, ids)).filter((user) => user.status === 'active');
}
