import { billingProblem, readBillingSettings } from '#shared/billing-settings.ts';
import type { Deployment, Kind } from './kind.ts';

/** Stripe, where accounts pay: calling it, and hearing its news. */

const settings = {
  billing: 'none (default) or stripe: who takes the money',
  stripeSecret: 'the secret with the secret key of Stripe',
  stripeWebhookSecret: 'the secret with the signing secret of its webhook',
  stripePublishableKey: 'its publishable key, for browsers',
  stripePrice: 'the id of the price of a seat there',
  stripeTrialDays: 'days before the first payment; 14 by default, 0 for none',
};

const VARIABLES = {
  BILLING_PROVIDER: 'billing',
  STRIPE_SECRET_KEY: 'stripeSecret',
  STRIPE_WEBHOOK_SECRET: 'stripeWebhookSecret',
  STRIPE_PUBLISHABLE_KEY: 'stripePublishableKey',
  STRIPE_PRICE: 'stripePrice',
  STRIPE_TRIAL_DAYS: 'stripeTrialDays',
} as const satisfies Record<string, keyof typeof settings>;

type Variable = keyof typeof VARIABLES;

/** Reads `cdk -c name=value`. Throws when they do not fit together; secrets are known by the names of their secrets. */
export function readBilling(setting: Deployment['setting']): Partial<Record<Variable, string>> {
  const given = Object.entries(VARIABLES).flatMap(([name, from]) => {
    const text = setting(from);
    return text === undefined ? [] : [[name, text] as const];
  });
  const variables = Object.fromEntries(given);
  const config = readBillingSettings(variables);
  const needless = given.map(([name]) => name).filter((name) => name !== 'BILLING_PROVIDER');
  const problem =
    config.provider === 'none' && needless.length > 0
      ? `${needless.join(', ')} says nothing unless BILLING_PROVIDER is stripe.`
      : billingProblem(config);
  if (problem) throw new Error(`${problem} By -c: ${Object.keys(settings).join(', ')}.`);
  return variables;
}

/** Who hears news knows no key, and who calls no secret of news. */
const known = {
  call: ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_PRICE', 'STRIPE_TRIAL_DAYS'],
  hear: ['STRIPE_WEBHOOK_SECRET'],
} as const satisfies Record<string, readonly Variable[]>;

const SECRETS: readonly Variable[] = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'];

export const billing = {
  modes: ['call', 'hear'],
  variables(modes, { setting, secret }) {
    const given = readBilling(setting);
    const names: Variable[] = (['call', 'hear'] as const).flatMap((mode) =>
      modes.has(mode) ? known[mode] : [],
    );
    const shown = (['BILLING_PROVIDER', ...names] as const).flatMap((name) => {
      const text = given[name];
      return text === undefined ? [] : [[name, SECRETS.includes(name) ? secret(text) : text]];
    });
    return Object.fromEntries(shown);
  },
  settings,
  local: [...Object.keys(VARIABLES), 'STRIPE_ENDPOINT'] as readonly string[],
  libraries: { stripe: { bytes: 260_000, reason: 'speaks with Stripe: all of its API in one class' } },
} as const satisfies Kind;
