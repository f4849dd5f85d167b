import { type PersonDraft, userWrites } from '#shared/domain/identity/users/add.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { newId } from '#shared/ids.ts';
import { mustNotExist, type Table } from '#shared/table/table.ts';
import type { Account } from './account.ts';
import { newAccount } from './create.ts';

/** An account and its owner, in one transaction: no account is without an owner. */
export async function openAccount(
  table: Table,
  { name, owner: person }: { name: string; owner: PersonDraft },
  now: Date,
): Promise<{ account: Account; owner: User }> {
  const id = newId(now);
  const { user: owner, writes } = await userWrites(table, id, { ...person, role: 'owner' }, now);
  const account = newAccount({ id, name, owner_user_id: owner.id }, now);
  await table.transact([{ put: account, when: mustNotExist }, ...writes]);
  return { account, owner };
}
