import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { ApiError } from '#shared/errors.ts';
import { isSameDigest, type RefreshToken } from './refresh-token.ts';
import type { Session } from './session.ts';

/**
 * Milliseconds in which the token before the newest one is not taken for a stolen one: two tabs refresh at once, or a
 * response was lost and the client tries again.
 */
const GRACE = 10_000;

export function isFamily({ family_hash }: Session, { family }: RefreshToken): boolean {
  return family_hash !== undefined && isSameDigest(hashSecret(family), family_hash);
}

function isInGrace({ generation, updated_at }: Session, token: RefreshToken, now: Date): boolean {
  if (token.generation !== generation - 1 || updated_at === null) return false;
  return now.getTime() - new Date(updated_at).getTime() <= GRACE;
}

/**
 * Why a refresh token is refused; undefined for the newest one of its session. Only who had a token of the family knows
 * its secret, so whoever presents another one than the newest has an old token: its owner or a thief, and nobody can
 * tell which (RFC 9700, 4.14.2).
 */
export function refusalOf(
  session: Session | undefined,
  token: RefreshToken,
  now: Date,
): ApiError | undefined {
  if (!session || !isFamily(session, token)) return new ApiError('invalid_refresh_token');
  if (session.ended_at !== undefined) return new ApiError('token_revoked');
  if (session.expires_at !== null && new Date(session.expires_at) <= now)
    return new ApiError('expired_refresh_token');
  if (isSameDigest(hashSecret(token.text), session.token_hash ?? '')) return undefined;
  return isInGrace(session, token, now)
    ? new ApiError('duplicate_refresh_attempted')
    : new ApiError('token_theft_detected');
}
