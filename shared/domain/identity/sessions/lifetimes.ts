import type { SignInConfig } from '#shared/config.ts';

/** When the tokens of a session stop working. */

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1_000);

const earlier = (one: Date, other: Date) => (one < other ? one : other);

export function sessionEnd(now: Date, { session_seconds }: SignInConfig): Date {
  return after(now, session_seconds);
}

/** No token outlives its session. */
export function expiryOf(now: Date, ends_at: Date, config: SignInConfig): { access: Date; refresh: Date } {
  return {
    access: earlier(after(now, config.access_token_seconds), ends_at),
    refresh: earlier(after(now, config.refresh_token_seconds), ends_at),
  };
}

export const secondsUntil = (now: Date, moment: Date): number =>
  Math.floor((moment.getTime() - now.getTime()) / 1_000);

/** A week, in which an expired session still says that it expired. */
const KEPT = 7 * 86_400;

/** The time to live of the item of a session. */
export const sessionEpoch = (expires_at: Date): number => Math.ceil(expires_at.getTime() / 1_000) + KEPT;
