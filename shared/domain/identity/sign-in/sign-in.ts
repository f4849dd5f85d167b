import type { Context, Visitor } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { type CheckedCode, checkCode, useCode } from '#shared/domain/identity/codes/check.ts';
import { type OpenedSession, openSession } from '#shared/domain/identity/sessions/open.ts';
import { findLogin } from '#shared/domain/identity/users/addresses.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { type Table, update, type Write, when } from '#shared/table/table.ts';
import type { ByCode } from './way.ts';

const refused = () => new ApiError('invalid_credentials');

/** The user with this address; undefined when nobody has it, or somebody in a closed account. */
async function findPerson(table: Table, address: string): Promise<User | undefined> {
  const login = await findLogin(table, address);
  if (!login) return undefined;
  const accountKey = keys.account(login.account_id);
  const found = await table.getMany([accountKey, keys.user(login.account_id, login.user_id)]);
  const account = found.find(({ SK }) => SK === accountKey.SK) as Account | undefined;
  return account?.status === 'active' ? (found.find((item) => item !== account) as User) : undefined;
}

/** They fail for whoever has lost access meanwhile. Signing in accepts an invitation. */
function admission({ id, account_id, status }: User, now: Date): Write[] {
  const account: Write = { check: keys.account(account_id), when: when<Account>({ status: 'active' }) };
  const key = keys.user(account_id, id);
  const user: Write =
    status === 'invited'
      ? update<User>(key, { set: { status: 'active', updated_at: now.toISOString() }, when: { status } })
      : { check: key, when: when<User>({ status: 'active' }) };
  return [account, user].map((write) => ({ ...write, otherwise: refused }));
}

/** 403 for an address without a user where signing up needs an invitation, else 401. The code stays usable. */
function unknown({ config }: Context): ApiError {
  return config.sign_up === 'open' ? refused() : new ApiError('invitation_required');
}

/** Opens a session for whoever has a right code. Only the transaction that opens it uses the code up. */
export async function signInByCode(
  ctx: Context & Visitor,
  { email_address, one_time_code }: ByCode,
): Promise<OpenedSession> {
  const code: CheckedCode | undefined = await checkCode(ctx, { email_address, code: one_time_code });
  if (!code) throw refused();
  const user = await findPerson(ctx.table, email_address);
  if (!user) throw unknown(ctx);
  if (user.status === 'deactivated') throw refused();
  const opened = openSession(ctx, user);
  await ctx.table.transact([...admission(user, ctx.now), useCode(code, refused), ...opened.writes]);
  return opened;
}
