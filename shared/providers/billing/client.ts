import type Stripe from 'stripe';
import type { Context } from '#shared/context.ts';
import type { ApiError } from '#shared/errors.ts';

/** Requests to Stripe. The library is loaded with the first of them: most requests of a function's life need none. */

/** Milliseconds of one try. A request that fails is tried again once, with the same idempotency key. */
const TRY_TIME = 8_000;
const RETRIES = 1;

/** Milliseconds from the beginning of a request or a job: the gateway waits 29 seconds for what comes after as well. */
const WORK_TIME = 22_000;

export const library = async (): Promise<typeof Stripe> => (await import('stripe')).default;

function addressOf(endpoint: string | undefined): Stripe.StripeConfig {
  if (endpoint === undefined) return {};
  const { hostname, port, protocol } = new URL(endpoint);
  const scheme = protocol === 'http:' ? 'http' : 'https';
  return { host: hostname, port: port || (scheme === 'http' ? 80 : 443), protocol: scheme };
}

/** What is thrown says what kind of failure it was. The words of Stripe stay out of logs: they may name people and cards. */
export class StripeFailed extends Error {
  override name = 'StripeFailed';
  /** Its HTTP status; undefined without a response. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly type: string | undefined;

  constructor({ type, code, statusCode, requestId }: Stripe.errors.StripeError) {
    super([type, code, statusCode, requestId].filter((part) => part !== undefined).join(' '));
    this.status = statusCode;
    this.code = code;
    this.type = type;
  }
}

/** Stripe, for one request or job: after its time everything that is asked fails at once. */
export async function connect({ config, now, clock }: Context): Promise<Stripe> {
  const { secret_key, endpoint } = config.billing;
  if (secret_key === undefined) throw new Error('STRIPE_SECRET_KEY is not set');
  const Library = await library();
  const spent = clock().getTime() - now.getTime();
  const time = AbortSignal.timeout(Math.max(0, WORK_TIME - spent));
  const within: typeof fetch = (url, { signal, ...sent } = {}) =>
    fetch(url, { ...sent, signal: signal ? AbortSignal.any([signal, time]) : time });
  return new Library(secret_key, {
    ...addressOf(endpoint),
    httpClient: Library.createFetchHttpClient(within),
    timeout: TRY_TIME,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
}

/** Throws StripeFailed in place of what the library throws. */
export async function ask<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const { type } = error as Partial<Stripe.errors.StripeError>;
    throw type === undefined ? error : new StripeFailed(error as Stripe.errors.StripeError);
  }
}

/** Throws `failure` with what was thrown as its cause. */
export async function askOr<T>(
  failure: (why: { cause: unknown }) => ApiError,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await ask(request);
  } catch (cause) {
    throw failure({ cause });
  }
}

/** Undefined for what is not, or no longer, at Stripe. */
export async function unlessMissing<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask(request);
  } catch (error) {
    if (error instanceof StripeFailed && error.status === 404 && error.code === 'resource_missing')
      return undefined;
    throw error;
  }
}
