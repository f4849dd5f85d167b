import type { Caller } from '#shared/domain/identity/caller.ts';
import { authenticate } from '#shared/domain/identity/credentials/authenticate.ts';
import { hashSecret, isWellFormedSecret } from '#shared/domain/identity/credentials/secret.ts';
import type { Rate } from '#shared/domain/platform/rates/rate.ts';
import { ApiError, rateLimited } from '#shared/errors.ts';
import type { Services } from '#shared/services.ts';
import { isThrottled } from '#shared/table/failures.ts';
import { type ApiEvent, callOf, headerValues } from './call.ts';
import type { Access } from './route.ts';

/**
 * Checks 4 to 6 (docs/specification/requests.md, "Order of checks"): credential, rate limits, and what the credential
 * may do.
 */

function unauthorized(): ApiError {
  return new ApiError('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
}

function bearerSecret(event: ApiEvent): string {
  const sent = headerValues(event, 'authorization');
  const match = sent.length === 1 ? /^Bearer +([^\s]+) *$/i.exec(sent[0] as string) : null;
  if (!match || !isWellFormedSecret(match[1] as string)) throw unauthorized();
  return match[1] as string;
}

/**
 * Credentials over their limit, and since when: while an environment is warm, a flood of requests with one key costs no
 * writes.
 */
const blocked = new Map<string, { since: number; rates: Rate[] }>();
const BLOCKED_LIMIT = 10_000;

function longestWait(rates: Rate[]): number {
  return Math.max(...rates.map((rate) => rate.retry_after));
}

/** The rates of a blocked credential at `now`; undefined once it may try again. */
function stillBlocked(hash: string, now: number): Rate[] | undefined {
  const found = blocked.get(hash);
  if (!found) return undefined;
  const seconds = Math.floor((now - found.since) / 1_000);
  if (seconds < longestWait(found.rates))
    return found.rates.map((rate) => ({
      ...rate,
      retry_after: Math.max(0, rate.retry_after - seconds),
      reset: Math.max(1, rate.reset - seconds),
    }));
  blocked.delete(hash);
  return undefined;
}

function mayUse(access: Access, { account, credential, user }: Caller): void {
  if (credential.kind === 'api_key') {
    if (account.api_access === 'disabled') throw new ApiError('api_access_disabled');
    if (access === 'session') throw new ApiError('api_key_insufficient');
    if (access === 'write' && credential.tier === 'read') throw new ApiError('api_key_insufficient');
    if (access === 'write' && account.api_access === 'read_only') throw new ApiError('api_access_read_only');
  }
  if (user.terms_pending) throw new ApiError('terms_acceptance_required');
}

export async function authorize(event: ApiEvent, access: Access, services: Services): Promise<void> {
  if (access === 'public') return;
  const call = callOf(event);
  const now = services.clock();
  const hash = hashSecret(bearerSecret(event));
  const rates = stillBlocked(hash, now.getTime());
  if (rates) {
    call.rates = rates;
    throw rateLimited(longestWait(rates));
  }
  const found = await authenticate(services.table, hash, now).catch((error: unknown) => {
    // DynamoDB throttles more than 1,000 writes a second on one item: that is also too many requests.
    if (isThrottled(error)) throw rateLimited(1);
    throw error;
  });
  if (!found) throw unauthorized();
  call.rates = found.rates;
  const wait = longestWait(found.rates);
  if (wait > 0) {
    if (blocked.size >= BLOCKED_LIMIT) blocked.clear();
    blocked.set(hash, { since: now.getTime(), rates: found.rates });
    throw rateLimited(wait);
  }
  call.caller = found.caller;
  mayUse(access, found.caller);
}
