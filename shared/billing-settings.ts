const providers = ['none', 'stripe'] as const;

/** Who takes the money of a deployment (docs/decisions/0068-billing.md). */
export interface BillingConfig {
  provider: (typeof providers)[number];
  /** Known to functions that call the provider, like the following three. */
  secret_key: string | undefined;
  /** Browsers hand cards to the provider with it. */
  publishable_key: string | undefined;
  /** What a seat costs. */
  price: string | undefined;
  /** Before the first payment; 0 for none. */
  trial_days: number;
  /** Signs the provider's news; known to the function that hears them. */
  webhook_secret: string | undefined;
  /** A server that speaks as the provider does, in its place. */
  endpoint: string | undefined;
}

/** The longest that Stripe has: https://docs.stripe.com/api/subscriptions/create */
const MOST_TRIAL_DAYS = 730;

function readTrialDays(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > MOST_TRIAL_DAYS)
    throw new Error(`STRIPE_TRIAL_DAYS must be a number of days, ${MOST_TRIAL_DAYS} at most, not "${text}".`);
  return Number(text);
}

/** Throws for an unknown provider. `billingProblem` checks the rest. */
export function readBillingSettings(env: NodeJS.ProcessEnv): BillingConfig {
  const named = env.BILLING_PROVIDER || 'none';
  const provider = providers.find((each) => each === named);
  if (!provider) throw new Error(`BILLING_PROVIDER must be one of ${providers.join(', ')}, not "${named}".`);
  return {
    provider,
    secret_key: env.STRIPE_SECRET_KEY || undefined,
    publishable_key: env.STRIPE_PUBLISHABLE_KEY || undefined,
    price: env.STRIPE_PRICE || undefined,
    trial_days: readTrialDays(env.STRIPE_TRIAL_DAYS || '14'),
    webhook_secret: env.STRIPE_WEBHOOK_SECRET || undefined,
    endpoint: env.STRIPE_ENDPOINT || undefined,
  };
}

/** Why the settings of billing do not fit together, in one line and without secrets; undefined when they do. */
export function billingProblem(config: BillingConfig): string | undefined {
  const { provider, secret_key, publishable_key, price, webhook_secret, endpoint } = config;
  const needed = {
    STRIPE_SECRET_KEY: secret_key,
    STRIPE_WEBHOOK_SECRET: webhook_secret,
    STRIPE_PUBLISHABLE_KEY: publishable_key,
    STRIPE_PRICE: price,
  };
  // Variables of the same names may be there for other programs.
  if (provider === 'none') return undefined;
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length > 0) return `BILLING_PROVIDER stripe needs ${missing.join(', ')}.`;
  if (publishable_key && !publishable_key.startsWith('pk_'))
    return 'STRIPE_PUBLISHABLE_KEY must begin with pk_: browsers get it, so it is not the secret key.';
  if (endpoint && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    return 'STRIPE_ENDPOINT must begin with http:// or https://.';
  return undefined;
}
