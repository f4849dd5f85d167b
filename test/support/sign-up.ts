import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { findLogin } from '#shared/domain/identity/users/addresses.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { givenCode, newAddress } from './one-time-codes.ts';
import type { ApiClient, Workspace } from './workspace.ts';

/** Signing up as clients do, and what it leaves in the table. */

type Body = NonNullable<Parameters<ApiClient['createAccount']>[0]>['body'];
export type AccountBody = NonNullable<Body>['account'];

export const signUp = (workspace: Workspace, account: AccountBody) =>
  workspace.client().createAccount({ body: { account } });

/** A request that is right: an unused address, and the code that was mailed to it. */
export async function givenRequest(
  workspace: Workspace,
  email_address = newAddress(),
): Promise<AccountBody & { email_address: string; one_time_code: string }> {
  return { name: 'Acme', email_address, one_time_code: await givenCode(workspace, email_address) };
}

/** Everything that is stored of whoever has the address; undefined when there is nobody. */
export async function storedOf({ table }: Workspace, address: string) {
  const login = await findLogin(table, address);
  if (!login) return undefined;
  const { account_id, user_id } = login;
  const [account, owner, sessions, events] = await Promise.all([
    table.get<Account>(keys.account(account_id)),
    table.get<User>(keys.user(account_id, user_id)),
    table.all(keys.session(user_id, '').PK),
    table.all(keys.auditEvent(account_id, '').PK),
  ]);
  return { account, owner, sessions, events };
}
