import type { Context, Visitor } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { audit } from '#shared/domain/identity/audit/audit.ts';
import { type OpenedSession, openSession } from '#shared/domain/identity/sessions/open.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { type Table, update, type Write, when } from '#shared/table/table.ts';

export const refused = () => new ApiError('invalid_credentials');

/** The user that an address or an identity belongs to; undefined in an account that is closed. */
export async function findPerson(
  table: Table,
  { account_id, user_id }: { account_id: string; user_id: string },
): Promise<User | undefined> {
  const accountKey = keys.account(account_id);
  const found = await table.getMany([accountKey, keys.user(account_id, user_id)]);
  const account = found.find(({ SK }) => SK === accountKey.SK) as Account | undefined;
  return account?.status === 'active' ? (found.find((item) => item !== account) as User) : undefined;
}

/** 403 for somebody without a user where signing up needs an invitation, else 401. */
export function unknown({ config }: Context): ApiError {
  return config.sign_up === 'open' ? refused() : new ApiError('invitation_required');
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

/** What the account keeps of a sign-in. */
function kept(ctx: Context & Visitor, user: User, session_id: string): Write[] {
  const { id: user_id, account_id, name, status } = user;
  const by = { user_id, credential_id: session_id };
  const joined = { action: 'user_joined' as const, subject: { type: 'user' as const, id: user_id, name } };
  const signed = {
    action: 'signed_in' as const,
    subject: { type: 'session' as const, id: session_id, name },
  };
  return [...(status === 'invited' ? [joined] : []), signed].map((event) =>
    audit(ctx, account_id, { ...event, ...by }),
  );
}

/** Opens a session of a user, in the transaction with `proof`, which uses up what proved who it is. 401 without access. */
export async function admit(ctx: Context & Visitor, user: User, proof: Write[]): Promise<OpenedSession> {
  if (user.status === 'deactivated') throw refused();
  const opened = openSession(ctx, user);
  await ctx.table.transact([
    ...admission(user, ctx.now),
    ...proof,
    ...opened.writes,
    ...kept(ctx, user, opened.session.id),
  ]);
  return opened;
}
