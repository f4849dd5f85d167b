import { type Key, keyOf } from '#shared/table/keys.ts';
import { asRead, exactly, mustNotExist, type Table, when } from '#shared/table/table.ts';
import type { Login } from './addresses.ts';
import type { Joining } from './joined.ts';
import { invitationKey, newInvitation } from './open-invitation.ts';
import type { User } from './user.ts';

/**
 * Before version 16 of the data, an invitation was the login of a user who had not joined. Migration 16 ends them; functions from
 * before it write some more until they are replaced. A later version needs this no more.
 */

/** Makes an open invitation of it, and nothing of one that was withdrawn. Fails when the user changed meanwhile. */
export async function endOldLogin(table: Table, login: Login, user: User): Promise<void> {
  const { id, status, joining } = user;
  const key = invitationKey(user);
  const opens = status === 'invited' && !(await table.get(key));
  await table.transact([
    { check: keyOf(user), when: when<Key & Joining>({ status, joining: asRead(joining) }) },
    { delete: keyOf(login), when: when<Login>({ user_id: exactly(id) }) },
    ...(opens ? [{ put: newInvitation(user), when: mustNotExist }] : []),
  ]);
}
