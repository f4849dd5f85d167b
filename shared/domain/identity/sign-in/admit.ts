import type { Context, Visitor } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { ownerWrites } from '#shared/domain/identity/accounts/owners.ts';
import { audit } from '#shared/domain/identity/audit/audit.ts';
import { leftToSweep, seatJobs } from '#shared/domain/identity/billing/job.ts';
import { type OpenedSession, openSession } from '#shared/domain/identity/sessions/open.ts';
import { findWithAccount } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { ApiError } from '#shared/errors.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { type Table, update, type Write, when } from '#shared/table/table.ts';

export const refused = () => new ApiError('invalid_credentials');

export interface Person {
  user: User;
  account: Account;
}

/** Whom an address or an identity belongs to; undefined in an account that is closed. */
export async function findPerson(
  table: Table,
  belongs: { account_id: string; user_id: string },
): Promise<Person | undefined> {
  const found = await findWithAccount(table, belongs);
  return found?.account.status === 'active' ? found : undefined;
}

/** Whether it is a user of the account that the request names, if it names one. */
export const isOfNamed = ({ account }: Person, account_id: string | undefined): boolean =>
  account_id === undefined || account.id === account_id;

/**
 * For somebody who is no user of an account: 403 when the request names one, and where signing up needs an invitation, else
 * 401.
 */
export function unknown({ config }: Context, account_id: string | undefined): ApiError {
  if (account_id !== undefined)
    return new ApiError('invitation_required', {
      message: 'The account has no open invitation to this address.',
    });
  return config.sign_up === 'open' ? refused() : new ApiError('invitation_required');
}

/** Signing in accepts an invitation. An owner joins the owners of the account, which may change meanwhile. */
function joiningWrites({ user, account }: Person, now: Date): Write[] {
  const { id, account_id, status } = user;
  const owning = ownerWrites(account, user, { ...user, status: 'active' }, now);
  const joined = update<User>(keys.user(account_id, id), {
    set: { status: 'active', updated_at: now.toISOString() },
    remove: ['joining'],
    when: { status },
  });
  return [{ ...joined, otherwise: refused }, ...owning];
}

/** They fail for whoever has lost access meanwhile. */
function admission(person: Person, now: Date): Write[] {
  const { id, account_id, status } = person.user;
  const active = (key: Key): Write => ({
    check: key,
    when: when<Account>({ status: 'active' }),
    otherwise: refused,
  });
  const account = active(keys.account(account_id));
  if (status !== 'invited') return [account, active(keys.user(account_id, id))];
  const joining = joiningWrites(person, now);
  return joining.length > 1 ? joining : [account, ...joining];
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

/**
 * Opens a session, in the transaction with `proof`, which uses up what proved who it is. 401 without access. Fails with
 * a conflict when the owners of the account change meanwhile, or somebody else takes the address.
 */
export async function admit(ctx: Context & Visitor, person: Person, proof: Write[]): Promise<OpenedSession> {
  const { user, account } = person;
  if (user.status === 'deactivated') throw refused();
  const opened = openSession(ctx, user);
  await ctx.table.transact([
    ...admission(person, ctx.now),
    ...proof,
    ...opened.writes,
    ...kept(ctx, user, opened.session.id),
    ...seatJobs(account, user, { status: 'active' }, ctx.now).map((job) => leftToSweep(job, ctx.now)),
  ]);
  return opened;
}
