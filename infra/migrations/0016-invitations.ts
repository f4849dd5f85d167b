import type { Login } from '#shared/domain/identity/users/addresses.ts';
import { neverJoined } from '#shared/domain/identity/users/joined.ts';
import { endOldLogin } from '#shared/domain/identity/users/old-logins.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { eachPage } from './each-page.ts';
import type { Migration } from './migrate.ts';

/** Invitations reserved their addresses, as if who is invited had joined (docs/decisions/0089). */

const LOGIN = keys.login('');
const [PREFIX] = LOGIN.PK.split('#');

const isLogin = ({ PK, SK }: Item): boolean => PK.startsWith(`${PREFIX}#`) && SK === LOGIN.SK;

/** It may be that of somebody else by now. */
const end = (table: Table, found: Item): Promise<void> =>
  retryOnConflict(async () => {
    const login = await table.get<Login>(keyOf(found));
    const user = login && (await table.get<User>(keys.user(login.account_id, login.user_id)));
    if (user && neverJoined(user)) await endOldLogin(table, login, user);
  });

export const invitations: Migration = {
  version: 16,
  summary: 'let an address belong to whoever joined with it',
  // Older code does not find invitations that were migrated.
  readable_from: 16,
  step: eachPage(async (table, items) => {
    for (const item of items) if (isLogin(item)) await end(table, item);
  }),
};
