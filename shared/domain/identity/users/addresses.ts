import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { either, exactly, type Item, missing, type Table, type Write, when } from '#shared/table/table.ts';
import { neverJoined } from './joined.ts';
import { endOldLogin } from './old-logins.ts';
import { findWithAccount } from './store.ts';
import type { User } from './user.ts';

/**
 * An address belongs to whoever proved it: to one user of the service, who has joined. People sign in by it. Invitations to it
 * are beside (invitations.ts).
 */
export type Login = Item & { user_id: string; account_id: string };

type Owner = Pick<User, 'id' | 'account_id' | 'email_address'>;

/** Addresses are compared in lower case. */
const loginKey = (address: string) => keys.login(address.toLowerCase());

export function inUse(): ApiError {
  const message = 'belongs to another user of the service';
  return new ApiError('email_address_in_use', { fields: { email_address: { code: 'taken', message } } });
}

/** Whose address it is, in any status, of an account in any status. */
export async function findLogin(table: Table, address: string): Promise<Login | undefined> {
  return table.get<Login>(loginKey(address));
}

/** Whether it is that of a user, or somebody is invited to it. */
export async function isKnown(table: Table, address: string): Promise<boolean> {
  const { items } = await table.query({ partition: loginKey(address).PK, limit: 1 });
  return items.length > 0;
}

export interface Holding {
  login: Login | undefined;
  /** Who has joined, in any status. Users of a closed account no longer hold theirs. */
  holder: { user: User; account: Account } | undefined;
}

export function findHolding(table: Table, address: string): Promise<Holding> {
  return retryOnConflict(async () => {
    const login = await findLogin(table, address);
    const found = login && (await findWithAccount(table, login));
    if (found && neverJoined(found.user)) {
      await endOldLogin(table, login, found.user);
      return { login: undefined, holder: undefined };
    }
    return { login, holder: found?.account.status === 'active' ? found : undefined };
  });
}

/** Whether a user has it, in any status, of an account that is not closed. */
export const isInUse = async (table: Table, address: string): Promise<boolean> =>
  (await findHolding(table, address)).holder !== undefined;

/** What a login says that nobody holds. */
function unheld({ login, holder }: Holding) {
  // Of a closed account it may be erased at any moment.
  return login && !holder ? either<string>(missing, exactly(login.user_id)) : missing;
}

/** Fails when somebody holds the address. */
export function checkFree(address: string, holding: Holding): Write {
  return { check: loginKey(address), when: when<Login>({ user_id: unheld(holding) }), otherwise: inUse };
}

/** From now on the address is the user's. Fails when somebody else holds it. */
export function hold({ id, account_id, email_address }: Owner, holding: Holding): Write {
  const put: Login = { ...loginKey(email_address), user_id: id, account_id };
  return { put, when: when<Login>({ user_id: either(unheld(holding), exactly(id)) }) };
}

/** The write that gives a user the address: 409 when another user has it. */
export async function takeAddress(table: Table, owner: Owner): Promise<Write> {
  return { ...hold(owner, await findHolding(table, owner.email_address)), otherwise: inUse };
}

/** As `takeAddress`, and 409 at once when somebody has it: before anything else is done for a new user. */
export async function takeFreeAddress(table: Table, owner: Owner): Promise<Write> {
  const holding = await findHolding(table, owner.email_address);
  if (holding.holder) throw inUse();
  return { ...hold(owner, holding), otherwise: inUse };
}
