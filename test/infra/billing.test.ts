import { App, Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { billingProblem, readBillingSettings } from '#shared/billing-settings.ts';
import { kinds, type Use } from '#shared/uses/kinds.ts';
import { deploymentOf } from '../../infra/aws/deployment.ts';
import { namesOf } from '../../infra/aws/names.ts';
import { variablesFor } from '../../infra/aws/operation.ts';
import { readStage } from '../../infra/aws/stage.ts';
import { Misuse } from '../../infra/cli/options.ts';

/** Who takes the money of a deployment, and what its functions know of it. */

const set = {
  billing: 'stripe',
  stripeSecret: 'stripe/key',
  stripeWebhookSecret: 'stripe/webhook',
  stripePublishableKey: 'pk_live_1',
  stripePrice: 'price_1',
};

describe('cdk -c', () => {
  it.each<[Record<string, string>, RegExp]>([
    [{ billing: 'paypal' }, /none, stripe, not "paypal"/],
    [{ billing: 'stripe' }, /needs STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, .*stripeSecret/],
    [{ ...set, billing: 'none' }, /says nothing/],
    [{ stripePrice: 'price_1' }, /STRIPE_PRICE says nothing unless/],
    [{ ...set, stripePublishableKey: 'sk_live_1' }, /must begin with pk_/],
    [{ ...set, stripeTrialDays: '731' }, /730 at most/],
    [{ ...set, stripeTrialDays: '-1' }, /730 at most/],
  ])('%j is refused', (context, message) => {
    expect(() => readStage((name) => context[name])).toThrow(message);
    expect(() => readStage((name) => context[name])).toThrow(Misuse);
  });

  const variablesOf = (context: Record<string, string>, uses: Use[]) => {
    const stack = new Stack(new App({ analyticsReporting: false }), 'Billing');
    const stage = readStage((name) => context[name]);
    const names = namesOf('dev');
    const deployment = deploymentOf(stack, stage, names);
    const around = { stage, names, kinds, deployment, code: () => Code.fromInline('-') };
    const all = stack.resolve(variablesFor(uses, 'job', around)) as Record<string, string>;
    return Object.fromEntries(Object.entries(all).filter(([name]) => /STRIPE|BILLING/.test(name)));
  };
  const secret = (name: string) => `{{resolve:secretsmanager:${name}:SecretString:::}}`;

  it('gives each function what it uses, and no other secret', () => {
    expect(variablesOf({ ...set, stripeTrialDays: '30' }, ['billing:call'])).toEqual({
      BILLING_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: secret('stripe/key'),
      STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
      STRIPE_PRICE: 'price_1',
      STRIPE_TRIAL_DAYS: '30',
    });
    expect(variablesOf(set, ['billing:hear'])).toEqual({
      BILLING_PROVIDER: 'stripe',
      STRIPE_WEBHOOK_SECRET: secret('stripe/webhook'),
    });
    expect(variablesOf(set, ['table:write'])).toEqual({});
    expect(variablesOf({}, ['billing:call', 'billing:hear'])).toEqual({});
  });
});

describe('the environment', () => {
  const env = {
    BILLING_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_PRICE: 'price_1',
  };
  it.each<[object, RegExp | undefined]>([
    [{}, undefined],
    [{ STRIPE_ENDPOINT: 'http://127.0.0.1:12111', STRIPE_TRIAL_DAYS: '0' }, undefined],
    [{ STRIPE_ENDPOINT: '127.0.0.1:12111' }, /STRIPE_ENDPOINT must begin with/],
    [{ STRIPE_PRICE: '' }, /needs STRIPE_PRICE\.$/],
    [{ BILLING_PROVIDER: '', STRIPE_PRICE: '' }, undefined],
    [{ STRIPE_PUBLISHABLE_KEY: 'sk_test_1' }, /must begin with pk_/],
  ])('with %j', (change, problem) => {
    const found = billingProblem(readBillingSettings({ ...env, ...change }));
    if (problem) expect(found).toMatch(problem);
    else expect(found).toBe(undefined);
    expect(found ?? '').not.toMatch(/sk_test|whsec_/);
  });

  it('is read with a trial of two weeks', () => {
    expect(readBillingSettings(env)).toEqual({
      provider: 'stripe',
      secret_key: 'sk_test_1',
      webhook_secret: 'whsec_1',
      publishable_key: 'pk_test_1',
      price: 'price_1',
      trial_days: 14,
      endpoint: undefined,
    });
  });
});
