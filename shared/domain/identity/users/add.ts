import { UniqueNames } from '#shared/domain/platform/names/unique.ts';
import { invalidField, recordNotFound } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist, mustNotExist, type Table, type Write } from '#shared/table/table.ts';
import { newUser, partsOfName, type UserDraft } from './create.ts';
import { listUsers } from './store.ts';
import type { User } from './user.ts';

/** What is known of a new person; `name` is the full name. */
export type PersonDraft = Pick<UserDraft, 'name' | 'email_address' | 'time_zone' | 'week_starts_on'>;

const taken = () => invalidField('email_address', 'taken', 'belongs to another user of the account');

/** Addresses identify users of an account: no two have the same. */
const addresses = new UniqueNames(keys.userAddress, taken);

/** The user, and the writes that store it with its address. */
export function userWrites(
  account_id: string,
  person: PersonDraft & Pick<User, 'role'>,
  now: Date,
): { user: User; writes: Write[] } {
  const user = newUser({ ...person, ...partsOfName(person.name), id: newId(now), account_id }, now);
  return {
    user,
    writes: [{ put: user, when: mustNotExist }, addresses.take(account_id, user.email_address, user.id)],
  };
}

/** A user whose address is not reserved, because it was not stored by `addUser`. */
async function requireUnused(table: Table, account_id: string, address: string): Promise<void> {
  const users = await listUsers(table, account_id);
  if (users.some((user) => user.email_address.toLowerCase() === address)) throw taken();
}

/** 404 when there is no such account; 400 when another of its users has the email address. */
export async function addUser(
  table: Table,
  account_id: string,
  person: PersonDraft & { role: 'admin' | 'member' },
  now: Date,
): Promise<User> {
  await requireUnused(table, account_id, person.email_address);
  const { user, writes } = userWrites(account_id, person, now);
  const account: Write = { check: keys.account(account_id), when: mustExist, otherwise: recordNotFound };
  await table.transact([account, ...writes]);
  return user;
}
