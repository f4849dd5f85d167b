import { keys } from '#shared/table/keys.ts';
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

export async function findActiveUsers(table: Table, account: string, ids: string[]): Promise<User[]> {
  return (await findUsers(table, account, ids)).filter((user) => user.status === 'active');
}
