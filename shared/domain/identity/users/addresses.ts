import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { either, exactly, type Item, missing, type Table, type Write, when } from '#shared/table/table.ts';
import type { User } from './user.ts';

/** People sign in by their address, so no two users of the service have the same: an item reserves each. */
export type Login = Item & { user_id: string; account_id: string };

type Owner = Pick<User, 'id' | 'account_id' | 'email_address'>;

/** Addresses are compared in lower case. */
const loginKey = (address: string) => keys.login(address.toLowerCase());

function inUse(): ApiError {
  const message = 'belongs to another user of the service';
  return new ApiError('email_address_in_use', { fields: { email_address: { code: 'taken', message } } });
}

/** Whose address it is, in any status, of an account in any status. */
export async function findLogin(table: Table, address: string): Promise<Login | undefined> {
  return table.get<Login>(loginKey(address));
}

interface Holder {
  login: Login | undefined;
  /** Users of a closed account no longer hold theirs. */
  holds: boolean;
}

async function findHolder(table: Table, address: string): Promise<Holder> {
  const login = await findLogin(table, address);
  const account = login && (await table.get<Account>(keys.account(login.account_id)));
  return { login, holds: account?.status === 'active' };
}

/** Whether a user has it, in any status, of an account that is not closed. */
export const isInUse = async (table: Table, address: string): Promise<boolean> =>
  (await findHolder(table, address)).holds;

function reservation({ id, account_id, email_address }: Owner, { login, holds }: Holder): Write {
  // Of a closed account it may be erased at any moment.
  const free = login && !holds ? either<string>(missing, exactly(login.user_id)) : missing;
  const put: Login = { ...loginKey(email_address), user_id: id, account_id };
  return {
    put,
    when: when<Login>({ user_id: either(free, exactly(id)) }),
    otherwise: inUse,
  };
}

/** The write that reserves the address of a user: 409 when another user has it. */
export async function takeAddress(table: Table, owner: Owner): Promise<Write> {
  return reservation(owner, await findHolder(table, owner.email_address));
}

/** As `takeAddress`, and 409 at once when somebody has it: before anything else is done for a new user. */
export async function takeFreeAddress(table: Table, owner: Owner): Promise<Write> {
  const holder = await findHolder(table, owner.email_address);
  if (holder.holds) throw inUse();
  return reservation(owner, holder);
}
