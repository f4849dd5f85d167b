import { expect } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { findLogin, type Login } from '#shared/domain/identity/users/addresses.ts';
import { neverJoined } from '#shared/domain/identity/users/joined.ts';
import type { OpenInvitation } from '#shared/domain/identity/users/open-invitation.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { ForgedIssuer } from './forged-issuer.ts';
import { givenCode } from './one-time-codes.ts';
import { REDIRECT } from './openid-provider.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** An address that accounts invite, and what must hold of it. */

export const invite = async ({ session }: TestUser, email_address: string, role: User['role'] = 'member') =>
  (await session.createUser({ body: { user: { email_address, role } } })).body.user;

export const setStatus = ({ session }: TestUser, id: string, status: 'active' | 'deactivated') =>
  session.updateUser({ params: { id }, body: { user: { status } } });

/** Signs in with a new code, and returns the session. */
export async function enter(workspace: Workspace, email_address: string, account_id?: string) {
  const one_time_code = await givenCode(workspace, email_address.toLowerCase());
  const session = { email_address, one_time_code, ...(account_id ? { account_id } : {}) };
  return (await workspace.client().createSession({ body: { session } })).body.session;
}

/** What a provider sends back for whoever has the address there. */
export async function broughtBy(workspace: Workspace, forged: ForgedIssuer, email: string) {
  const body = { provider: 'google', redirect_url: REDIRECT };
  const { url, state } = (await workspace.client().createSessionAuthorization({ body })).body.authorization;
  forged.claims = { sub: `subject of ${email}`, email, email_verified: true };
  forged.sees(url);
  return { provider: 'google', authorization_code: 'x', state };
}

/** Open invitations to the address, and whose it is, as they are stored. */
export async function storedOfAddress({ table }: Workspace, address: string) {
  const items = await table.all<OpenInvitation>(keys.login(address).PK, keys.invitation(address, '').SK);
  return { login: await findLogin(table, address), invitations: items };
}

/** Users of these accounts, and of who signed up, with the address. */
async function usersOf({ table }: Workspace, address: string, account_ids: string[]) {
  const users = await Promise.all(
    account_ids.map(async (id) => {
      const account = await table.get<Account>(keys.account(id));
      const all = (await listUsers(table, id)).filter(({ email_address }) => email_address === address);
      return all.map((user) => ({ user, active: account?.status === 'active' }));
    }),
  );
  return users.flat();
}

const pairOf = ({ account_id, user_id }: Login) => `${account_id} ${user_id}`;

/** One user at most has the address; whoever is invited can be found, and nobody else is. */
export async function expectOneHolder(workspace: Workspace, address: string, account_ids: string[]) {
  const { login, invitations } = await storedOfAddress(workspace, address);
  const ids = new Set([...account_ids, ...(login ? [login.account_id] : [])]);
  const users = await usersOf(workspace, address, [...ids]);
  const joined = users.filter(({ user, active }) => active && !neverJoined(user));
  expect(joined.length).toBeLessThanOrEqual(1);
  for (const { user } of joined) expect(login?.user_id).toBe(user.id);
  const invited = users.filter(({ user }) => user.status === 'invited');
  expect(invitations.map(pairOf).sort()).toEqual(
    invited.map(({ user }) => `${user.account_id} ${user.id}`).sort(),
  );
}
