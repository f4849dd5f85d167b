import type { Context, Visitor } from '#shared/context.ts';
import { isOutdated } from '#shared/domain/identity/credentials/authenticate.ts';
import { type IssuedCredential, newCredential } from '#shared/domain/identity/credentials/issue.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import { seenAs } from '#shared/domain/identity/visitor.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, missing } from '#shared/table/table.ts';
import { expiryOf, secondsUntil, sessionEpoch } from './lifetimes.ts';
import { newRefreshToken, type RefreshToken, readRefreshToken } from './refresh-token.ts';
import { refusalOf } from './refusal.ts';
import type { Session, Tokens } from './session.ts';
import { findSession } from './store.ts';
import { endStolen } from './theft.ts';

type Ctx = Context & Visitor;

/** A session that has the token as its newest. Throws 401 or 409 for any other token, and ends a session on theft. */
async function requireValid(ctx: Ctx, session: Session | undefined, token: RefreshToken): Promise<Session> {
  const refusal = refusalOf(session, token, ctx.now);
  if (!refusal) return session as Session;
  if (refusal.code === 'token_theft_detected') await endStolen(ctx, session as Session);
  throw refusal;
}

interface Renewal {
  access: IssuedCredential;
  expires: { access: Date; refresh: Date };
  next: RefreshToken;
}

function renewalOf({ now, config }: Ctx, session: Session, token: RefreshToken): Renewal {
  const { id, account_id, user_id, ends_at = session.expires_at as string } = session;
  const expires = expiryOf(now, new Date(ends_at), config.sign_in);
  const draft = { id, account_id, user_id, kind: 'session' as const, tier: 'read_write' as const };
  return {
    access: newCredential({ ...draft, expires_at: expires.access }, now),
    expires,
    next: newRefreshToken({ ...token, generation: session.generation + 1 }),
  };
}

/** One write, which of several requests with one token only one can make. */
async function rotate(ctx: Ctx, session: Session, token: RefreshToken, renewal: Renewal): Promise<void> {
  const { access, expires, next } = renewal;
  const { user_id, id } = session;
  const token_hash = hashSecret(next.text);
  try {
    await ctx.table.update<Session>(
      keys.session(user_id, id),
      {
        set: {
          ...seenAs(ctx),
          generation: next.generation,
          token_hash,
          access_hash: access.hash,
          expires_at: expires.refresh.toISOString(),
          expires_epoch: sessionEpoch(expires.refresh),
          updated_at: ctx.now.toISOString(),
        },
        when: { token_hash: hashSecret(token.text), ended_at: missing },
      },
      'NONE',
    );
  } catch (error) {
    const changed = error instanceof ConditionFailed;
    const found = await findSession(ctx.table, user_id, id).catch(() => undefined);
    // It was written, and only the response of the table was lost.
    if (found?.token_hash === token_hash) return;
    if (changed) await requireValid(ctx, found, token);
    throw new ApiError('could_not_save_refresh_token', { cause: error });
  }
}

/**
 * Exchanges a refresh token for a new one and an access token. The access token is stored first: when that fails, the
 * refresh token still works.
 */
export async function refreshSession(ctx: Ctx, sent: string): Promise<Tokens> {
  const token = readRefreshToken(sent);
  if (!token) throw new ApiError('invalid_refresh_token');
  const found = await findSession(ctx.table, token.user_id, token.session_id);
  const session = await requireValid(ctx, found, token);
  const caller = await callerFor(ctx.table, session);
  if (!caller || isOutdated(session, caller.user)) throw new ApiError('token_revoked');
  const renewal = renewalOf(ctx, session, token);
  const { access, expires, next } = renewal;
  await ctx.table.put(access.credential).catch((cause: unknown) => {
    throw new ApiError('could_not_save_access_token', { cause });
  });
  await rotate(ctx, session, token, renewal);
  return {
    access_token: access.secret,
    expires_in: secondsUntil(ctx.now, expires.access),
    refresh_token: next.text,
    refresh_seconds: secondsUntil(ctx.now, expires.refresh),
  };
}
