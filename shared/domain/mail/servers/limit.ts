import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { countInHour } from '#shared/domain/platform/rates/hourly.ts';
import { rateLimited } from '#shared/errors.ts';

/**
 * Guesses of passwords and of open ports are many, mistakes of people few. What is too much for a user does not count for the
 * account, whose other users go on.
 */
const limits = [
  { of: 'user', limit: 30, whom: 'a user' },
  { of: 'account', limit: 300, whom: 'an account' },
] as const;

/**
 * Counts an attempt to sign in at servers that the caller names, or with a code that they bring. 429 `rate_limited` with too many in an hour, of the user or
 * of the account (docs/specification/requests.md, "Rate limits").
 */
export async function limitAttempts({ table, caller, now }: CallerContext): Promise<void> {
  for (const { of, limit, whom } of limits) {
    const wait = await countInHour(table, { what: 'SERVERS', subject: caller[of].id }, limit, now);
    if (wait > 0)
      throw rateLimited(wait, `The limit is ${limit} attempts to connect servers, in an hour, for ${whom}.`);
  }
}
