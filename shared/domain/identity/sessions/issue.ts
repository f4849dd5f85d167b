import { newCredential } from '#shared/domain/identity/credentials/issue.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Table } from '#shared/table/table.ts';
import { sessionEpoch } from './lifetimes.ts';
import type { Session } from './session.ts';

/**
 * A session that nobody signs in to: for an operator, with one access token that works until `expires_at` or for ever,
 * and no refresh token.
 */
export async function issueSession(
  table: Table,
  { id: user_id, account_id }: Pick<User, 'id' | 'account_id'>,
  expires_at: Date | null,
  now: Date,
): Promise<{ session: Session; secret: string }> {
  const id = newId(now);
  const draft = {
    id,
    account_id,
    user_id,
    kind: 'session' as const,
    tier: 'read_write' as const,
    expires_at,
  };
  const { credential, secret, hash } = newCredential(draft, now);
  const session: Session = {
    ...keys.session(user_id, id),
    ...{ id, user_id, account_id, user_agent: null, ip_address: null },
    expires_at: expires_at?.toISOString() ?? null,
    generation: 0,
    access_hash: hash,
    created_at: now.toISOString(),
    updated_at: null,
    ...(expires_at ? { expires_epoch: sessionEpoch(expires_at) } : {}),
  };
  await table.transact([
    { put: session, when: mustNotExist },
    { put: credential, when: mustNotExist },
  ]);
  return { session, secret };
}
