import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenPayingAccount, givenStripe, referenceOf } from '../../support/billing.ts';
import { codeOf } from '../../support/failures.ts';
import { logged } from '../../support/logged.ts';
import { longIt } from '../../support/long.ts';
import type { StripeServer, Trouble } from '../../support/stripe-server.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /accounts/credit_cards', () => {
  let workspace: Workspace;
  let stripe: StripeServer;
  let owner: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    stripe = await givenStripe(workspace);
    [owner, member] = (await givenPayingAccount(workspace, 2)) as [TestUser, TestUser];
  });
  afterAll(async () => {
    await stripe.stop();
    await workspace.stop();
  });

  it('200: what a browser needs to hand a card to the provider, once and uncached', async () => {
    const { customer_id } = await referenceOf(workspace, owner.user.account_id);
    const { status, body, headers } = await owner.session.createCreditCard();
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      setup: {
        client_secret: expect.stringMatching(/^seti_\w+_secret_/),
        publishable_key: 'pk_test_workspace',
      },
    });
    expect(stripe.asked.at(-1)).toMatchObject({
      operation: 'POST /v1/setup_intents',
      form: { customer: customer_id, allowed_payment_method_types: ['card'], usage: 'off_session' },
    });
  });

  it('is for admins, in a session: 403', async () => {
    expect(await codeOf(member.session.createCreditCard())).toBe('403 permission_denied');
    expect(await codeOf(owner.api.createCreditCard())).toBe('403 api_key_insufficient');
  });

  it('502 setup_intent_creation_failed: nobody pays for the account', async () => {
    expect(await codeOf(workspace.ada.session.createCreditCard())).toBe('502 setup_intent_creation_failed');
    const { billing } = workspace.ctx.config;
    workspace.ctx.config.billing = { ...billing, provider: 'none' };
    expect(await codeOf(owner.session.createCreditCard())).toBe('502 setup_intent_creation_failed');
    expect(await codeOf(member.session.createCreditCard())).toBe('403 permission_denied');
    workspace.ctx.config.billing = billing;
  });

  const on = 'POST /v1/setup_intents';
  longIt.each<[string, Trouble[]]>([
    ['refuses', [{ on, status: 400, error: { type: 'invalid_request_error' } }]],
    ['refuses the key', [{ on, status: 401, error: { type: 'invalid_request_error' } }]],
    ['is out of order, twice', [1, 2].map(() => ({ on, status: 500, error: { type: 'api_error' } }))],
    ['limits the rate', [{ on, status: 429, headers: { 'retry-after': '60' } }]],
    ['closes the connection, twice', [1, 2].map(() => ({ on, breaks: 'closed' as const }))],
  ])('502 setup_intent_creation_failed: Stripe %s; nothing of its words is logged', async (_, troubles) => {
    stripe.troubles.push(...troubles);
    const began = Date.now();
    const log = await logged(async () => {
      expect(await codeOf(owner.session.createCreditCard())).toBe('502 setup_intent_creation_failed');
    });
    expect(Date.now() - began).toBeLessThan(10_000);
    expect(stripe.troubles).toEqual([]);
    expect(log).toContain('StripeFailed');
    expect(log).not.toMatch(/4242|ada@|sk_test|client_secret|seti_/);
  });

  longIt('200: Stripe is out of order once, and asked again with the same idempotency key', async () => {
    stripe.troubles.push({ on, status: 503, error: { type: 'api_error' } });
    expect((await owner.session.createCreditCard()).status).toBe(200);
    const [first, second] = stripe.asked.slice(-2).map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/./);
    expect(second).toBe(first);
  });
});
