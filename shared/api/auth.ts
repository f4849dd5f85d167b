import type { Config } from '#shared/config.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { authenticate, type CallerRate } from '#shared/domain/identity/credentials/authenticate.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { isOutstanding } from '#shared/domain/identity/terms/outstanding.ts';
import { ApiError, rateLimited } from '#shared/errors.ts';
import type { Services } from '#shared/services.ts';
import { isThrottled } from '#shared/table/failures.ts';
import { bearerSecret, unauthorized } from './bearer.ts';
import { type ApiEvent, callOf, headerValues } from './call.ts';
import type { Route } from './route.ts';

/**
 * Checks 4 to 6 (docs/specification/requests.md, "Order of checks"): credential, rate limits, and what the credential
 * may do.
 */

/**
 * Credentials over their limit, and since when: while an environment is warm, a flood of requests with one key costs no
 * writes.
 */
const blocked = new Map<string, { since: number; rates: CallerRate[] }>();
const BLOCKED_LIMIT = 10_000;

/** The rate that must be waited for longest. */
function tightest(rates: CallerRate[]): CallerRate {
  return rates.reduce((worst, rate) => (rate.retry_after > worst.retry_after ? rate : worst));
}

export const LIMITED = {
  credential: (limit: string) => `The limit is ${limit} requests in a minute for a key.`,
  user: (limit: string) =>
    `The limit is ${limit} requests in a minute for a user, over all keys and sessions.`,
};

function limited(rates: CallerRate[]): ApiError {
  const { retry_after, limit, subject } = tightest(rates);
  return rateLimited(retry_after, LIMITED[subject](limit.toLocaleString('en')));
}

/** The rates of a blocked credential at `now`; undefined once it may try again. */
function stillBlocked(hash: string, now: number): CallerRate[] | undefined {
  const found = blocked.get(hash);
  if (!found) return undefined;
  const seconds = Math.floor((now - found.since) / 1_000);
  if (seconds < tightest(found.rates).retry_after)
    return found.rates.map((rate) => ({
      ...rate,
      retry_after: Math.max(0, rate.retry_after - seconds),
      reset: Math.max(1, rate.reset - seconds),
    }));
  blocked.delete(hash);
  return undefined;
}

type Demand = Pick<Route, 'access' | 'before_terms' | 'optional_credential'>;

function mayUse(
  { access, before_terms }: Demand,
  { account, credential, user }: Caller,
  config: Config,
): void {
  if (credential.kind === 'api_key') {
    if (account.api_access === 'disabled') throw new ApiError('api_access_disabled');
    if (access === 'session') throw new ApiError('api_key_insufficient');
    if (access === 'write' && credential.tier === 'read') throw new ApiError('api_key_insufficient');
    if (access === 'write' && account.api_access === 'read_only') throw new ApiError('api_access_read_only');
  }
  if (!before_terms && isOutstanding(user, config)) throw new ApiError('terms_acceptance_required');
}

async function authenticated(event: ApiEvent, services: Services): Promise<Caller> {
  const call = callOf(event);
  const now = services.clock();
  const hash = hashSecret(bearerSecret(event));
  const rates = stillBlocked(hash, now.getTime());
  if (rates) {
    call.rates = rates;
    throw limited(rates);
  }
  const found = await authenticate(services.table, hash, now).catch((error: unknown) => {
    // DynamoDB throttles more than 1,000 writes a second on one item: that is also too many requests.
    if (isThrottled(error)) throw rateLimited(1, 'Too many requests at once with this key.');
    throw error;
  });
  if (!found) throw unauthorized('The key is unknown, revoked or expired.');
  call.rates = found.rates;
  if (tightest(found.rates).retry_after > 0) {
    if (blocked.size >= BLOCKED_LIMIT) blocked.clear();
    blocked.set(hash, { since: now.getTime(), rates: found.rates });
    throw limited(found.rates);
  }
  return found.caller;
}

function unlessKnown(error: unknown): never {
  if (error instanceof ApiError && error.code === 'unauthorized')
    throw new ApiError('invalid_credentials', { message: error.message, headers: error.headers });
  throw error;
}

export async function authorize(event: ApiEvent, demand: Demand, services: Services): Promise<void> {
  if (demand.access === 'public') {
    if (demand.optional_credential && headerValues(event, 'authorization').length > 0)
      await authenticated(event, services).catch(unlessKnown);
    return;
  }
  const caller = await authenticated(event, services);
  callOf(event).caller = caller;
  mayUse(demand, caller, services.config);
}
