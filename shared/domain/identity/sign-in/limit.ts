import type { Context, Visitor } from '#shared/context.ts';
import { countInHour } from '#shared/domain/platform/rates/hourly.ts';
import { rateLimited } from '#shared/errors.ts';
import { networkOf } from './network.ts';

/**
 * Counts a request that signs in, signs up, renews a token or asks for a code: 429 for a network with too many of them
 * in an hour (docs/specification/sign-in.md, "Signing in"). It comes first, so that guesses cost nothing more.
 */
export async function limitSignIn({ table, now, config, source_ip }: Context & Visitor): Promise<void> {
  const limit = config.sign_in.requests_per_hour;
  const wait = await countInHour(table, { what: 'SIGNIN', subject: networkOf(source_ip) }, limit, now);
  if (wait > 0)
    throw rateLimited(
      wait,
      `The limit is ${limit} requests to sign in, in an hour, for an address of the internet.`,
    );
}
