import type { Context, Visitor } from '#shared/context.ts';
import { newCredential } from '#shared/domain/identity/credentials/issue.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { seenAs } from '#shared/domain/identity/visitor.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Write } from '#shared/table/table.ts';
import { expiryOf, secondsUntil, sessionEnd, sessionEpoch } from './lifetimes.ts';
import { newFamily, newRefreshToken } from './refresh-token.ts';
import type { Session, Tokens } from './session.ts';

export interface OpenedSession {
  session: Session;
  tokens: Tokens;
  /** They store the session and its access token: for the transaction of whatever lets the user in. */
  writes: [session: Write, access_token: Write];
}

/** A new session of a user, whom somebody else has let in. */
export function openSession(
  ctx: Pick<Context, 'config' | 'now'> & Visitor,
  { id: user_id, account_id }: Pick<User, 'id' | 'account_id'>,
): OpenedSession {
  const { now } = ctx;
  const id = newId(now);
  const ends_at = sessionEnd(now, ctx.config.sign_in);
  const expires = expiryOf(now, ends_at, ctx.config.sign_in);
  const family = newFamily();
  const refresh = newRefreshToken({ user_id, session_id: id, generation: 0, family });
  const access = newCredential(
    { id, account_id, user_id, kind: 'session', tier: 'read_write', expires_at: expires.access },
    now,
  );
  const session: Session = {
    ...keys.session(user_id, id),
    ...{ id, user_id, account_id, ...seenAs(ctx) },
    expires_at: expires.refresh.toISOString(),
    ends_at: ends_at.toISOString(),
    generation: 0,
    family_hash: hashSecret(family),
    token_hash: hashSecret(refresh.text),
    access_hash: access.hash,
    created_at: now.toISOString(),
    updated_at: null,
    expires_epoch: sessionEpoch(expires.refresh),
  };
  return {
    session,
    tokens: {
      access_token: access.secret,
      expires_in: secondsUntil(now, expires.access),
      refresh_token: refresh.text,
      refresh_seconds: secondsUntil(now, expires.refresh),
    },
    writes: [
      { put: session, when: mustNotExist },
      { put: access.credential, when: mustNotExist },
    ],
  };
}
