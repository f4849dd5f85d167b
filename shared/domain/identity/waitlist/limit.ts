import type { Context, Visitor } from '#shared/context.ts';
import { networkOf } from '#shared/domain/identity/sign-in/network.ts';
import { countInHour } from '#shared/domain/platform/rates/hourly.ts';
import { rateLimited } from '#shared/errors.ts';

/** docs/specification/sign-in.md, "The waitlist". */
const LIMIT = 5;

/** 429 for a network with more in an hour. */
export async function limitWaitlist({ table, now, source_ip }: Context & Visitor): Promise<void> {
  const counted = { what: 'WAITLIST', subject: networkOf(source_ip) };
  const wait = await countInHour(table, counted, LIMIT, now);
  if (wait > 0)
    throw rateLimited(wait, `The limit is ${LIMIT} requests in an hour for an address of the internet.`);
}
