import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { Credential } from '#shared/domain/identity/credentials/credential.ts';
import type { Session } from '#shared/domain/identity/sessions/session.ts';
import { takeAddress } from '#shared/domain/identity/users/addresses.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { ApiError } from '#shared/errors.ts';
import { idTime } from '#shared/ids.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { ConditionFailed, mustNotExist, type Table } from '#shared/table/table.ts';
import { eachPage } from './each-page.ts';
import type { Migration } from './migrate.ts';

/** Addresses were unique in their account only, and session tokens had no session. */

const ACCOUNT = keys.account('').PK;
const CREDENTIAL = keys.credential('').PK;
const USER = keys.user('', '').SK;
const OLD_ADDRESS = 'USERADDRESS#';

/** Of users of several accounts with one address, the first one that is read gets it: the others cannot sign in. */
async function reserveAddress(table: Table, user: User): Promise<void> {
  const account = await table.get<Account>(keys.account(user.account_id));
  if (account?.status !== 'active') return;
  await table.transact([await takeAddress(table, user)]).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'email_address_in_use') throw error;
  });
}

async function addSession(table: Table, credential: Credential): Promise<void> {
  const { id, user_id, account_id, expires_at_ms, used_at } = credential;
  const session: Session = {
    ...keys.session(user_id, id),
    ...{ id, user_id, account_id, user_agent: null, ip_address: null },
    expires_at: expires_at_ms === undefined ? null : new Date(expires_at_ms).toISOString(),
    generation: 0,
    access_hash: credential.PK.slice(CREDENTIAL.length),
    created_at: idTime(id).toISOString(),
    updated_at: used_at ?? null,
  };
  await table.put(session, mustNotExist).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}

export const signIn: Migration = {
  version: 3,
  summary: 'reserve the addresses of users, and give session tokens a session',
  readable_from: 2,
  step: eachPage(async (table, items) => {
    for (const item of items) {
      const { PK, SK } = item;
      if (PK.startsWith(ACCOUNT) && SK.startsWith(USER)) await reserveAddress(table, item as User);
      else if (PK.startsWith(ACCOUNT) && SK.startsWith(OLD_ADDRESS)) await table.delete(keyOf(item));
      else if (PK.startsWith(CREDENTIAL) && (item as Credential).kind === 'session')
        await addSession(table, item as Credential);
    }
  }),
};
