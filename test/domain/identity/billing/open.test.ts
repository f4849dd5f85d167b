import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { billing } from '#shared/composition/billing.ts';
import { createAccount } from '#shared/domain/identity/accounts/create.ts';
import type { BilledDraft } from '#shared/domain/identity/billing/port.ts';
import { newId } from '#shared/ids.ts';
import { handler as sweep } from '../../../../functions/queues/sweep-jobs.ts';
import { givenStripe, runBilling } from '../../../support/billing.ts';
import { failNth } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { longIt } from '../../../support/long.ts';
import { newAddress } from '../../../support/one-time-codes.ts';
import type { StripeServer, Trouble } from '../../../support/stripe-server.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** Opening and closing accounts at the provider: the port that signing up and closing call. */
describe('billing of accounts', () => {
  let workspace: Workspace;
  let stripe: StripeServer;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    stripe = await givenStripe(workspace);
  });
  afterEach(async () => {
    workspace.setTime(undefined);
    stripe.troubles.length = 0;
    for (const { PK, SK } of await openJobs(workspace.table)) await workspace.table.delete({ PK, SK });
  });
  afterAll(async () => {
    await stripe.stop();
    await workspace.stop();
  });

  const ctx = () => ({ ...workspace.ctx, ports: {}, now: workspace.ctx.clock() });
  const draftOf = (email_address = newAddress()): BilledDraft => ({
    account_id: newId(new Date()),
    name: 'Acme',
    email_address,
  });
  const open = (draft: BilledDraft) => billing.billing.open(ctx(), draft);
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      ({ status, code }: { status?: number; code?: string }) => `${status} ${code}`,
    );
  const store = ({ account_id: id, name }: BilledDraft) =>
    createAccount(
      workspace.table,
      { id, name, owner_user_id: newId(new Date()), time_zone: 'UTC' },
      new Date(),
    );
  const opening = () => runBilling(workspace, (work) => 'email_address' in work);

  describe('open', () => {
    it('makes a customer and a subscription with a trial, whose metadata name the account', async () => {
      const draft = draftOf();
      const reference = await open(draft);
      const [customer] = stripe.world.customersOf(draft.account_id);
      const [subscription] = stripe.world.subscriptionsOf(draft.account_id);
      expect(customer).toMatchObject({ name: 'Acme', email: draft.email_address });
      expect(subscription).toMatchObject({ customer: customer?.id, status: 'trialing' });
      expect(reference).toEqual({
        customer_id: customer?.id,
        subscription_id: subscription?.id,
        billing: {
          provider: 'stripe',
          status: 'trialing',
          plan: 'team',
          seats: 1,
          trial_ends_at: new Date((subscription?.trial_end ?? 0) * 1_000).toISOString(),
          current_period_ends_at: expect.any(String),
          card: null,
        },
        readings: 0,
      });
    });

    it('waits for a card where there is no trial', async () => {
      const { config } = workspace.ctx;
      config.billing = { ...config.billing, trial_days: 0 };
      const reference = await open(draftOf());
      config.billing = { ...config.billing, trial_days: 14 };
      expect(reference?.billing).toMatchObject({ status: 'incomplete', trial_ends_at: null });
      expect(stripe.asked.at(-1)?.form).toMatchObject({ payment_behavior: 'default_incomplete' });
      expect(stripe.asked.at(-1)?.form).not.toHaveProperty('trial_period_days');
    });

    it('makes nothing new when it is repeated, also at once', async () => {
      const draft = draftOf();
      const [first, ...others] = await Promise.all([open(draft), open(draft), open(draft)]);
      expect([...others, await open(draft)]).toEqual([first, first, first]);
      expect(stripe.world.customersOf(draft.account_id)).toHaveLength(1);
      expect(stripe.world.subscriptionsOf(draft.account_id)).toHaveLength(1);
      expect(await openJobs(workspace.table, 'update-billing')).toHaveLength(1);
    });

    it('does nothing where nobody pays', async () => {
      const { config } = workspace.ctx;
      const { billing: set } = config;
      config.billing = { ...set, provider: 'none' };
      const asked = stripe.asked.length;
      expect(await open(draftOf())).toBe(undefined);
      expect([stripe.asked.length, await openJobs(workspace.table, 'update-billing')]).toEqual([asked, []]);
      config.billing = set;
    });

    const [customers, subscriptions] = ['POST /v1/customers', 'POST /v1/subscriptions'] as const;
    const twice = (trouble: Trouble): Trouble[] => [trouble, trouble];
    const api = { type: 'api_error' };
    const invalid = { type: 'invalid_request_error', code: 'resource_missing' };
    it.each<[string, Trouble[]]>([
      ['502 could_not_create_payments_account', [{ on: customers, status: 400, error: invalid }]],
      ['502 could_not_create_payments_account', twice({ on: customers, status: 500, error: api })],
      ['502 could_not_create_payments_account', twice({ on: customers, breaks: 'closed' })],
      ['402 card_declined', [{ on: subscriptions, status: 402, error: { type: 'card_error' } }]],
      ['402 subscription_failed', [{ on: subscriptions, status: 400, error: invalid }]],
      ['502 payments_account_creation_failed', twice({ on: subscriptions, status: 503, error: api })],
      ['502 payments_account_creation_failed', [{ on: subscriptions, status: 429, error: api }]],
      ['502 payments_account_creation_failed', twice({ on: subscriptions, breaks: 'closed', done: true })],
      ['502 payments_account_creation_failed', [{ on: subscriptions, status: 401, error: invalid }]],
      ['done', [{ on: customers, status: 500, error: api }]],
      ['done', [{ on: subscriptions, breaks: 'closed', done: true }]],
    ])('%s (case %#), and within an hour nobody pays for what was not stored', async (expected, troubles) => {
      const draft = draftOf();
      stripe.troubles.push(...troubles);
      expect(await codeOf(open(draft))).toBe(expected);
      expect(stripe.troubles).toEqual([]);
      expect(await opening()).toEqual({ ran: 1, failed: [] });
      expect(stripe.world.customersOf(draft.account_id).filter(({ deleted }) => !deleted)).toEqual([]);
      expect(
        stripe.world.subscriptionsOf(draft.account_id).filter(({ status }) => status !== 'canceled'),
      ).toEqual([]);
    });

    longIt('ends before the gateway gives up, however slow Stripe is', async () => {
      const now = new Date();
      workspace.setTime(now);
      stripe.troubles.push(...twice({ on: customers, breaks: 'silent' }));
      const work = billing.billing.open({ ...ctx(), now: new Date(now.getTime() - 21_500) }, draftOf());
      expect(await codeOf(work)).toBe('502 could_not_create_payments_account');
      const spent = billing.billing.open({ ...ctx(), now: new Date(now.getTime() - 60_000) }, draftOf());
      expect(await codeOf(spent)).toBe('502 could_not_create_payments_account');
    });
  });

  describe('an opening whose account', () => {
    it('is stored stays, with what happened meanwhile', async () => {
      const draft = draftOf();
      const billing_reference = await open(draft);
      await workspace.table.put({ ...(await store(draft)), billing_reference });
      const [subscription] = stripe.world.subscriptionsOf(draft.account_id);
      await opening();
      expect(subscription?.status).toBe('trialing');
      expect(await openJobs(workspace.table, 'update-billing')).toEqual([]);
    });

    it('was never stored is undone an hour later, and not before', async () => {
      const draft = draftOf();
      const start = new Date();
      workspace.setTime(start);
      await open(draft);
      const [job] = await openJobs(workspace.table, 'update-billing');
      const sent = async (minutes: number) => {
        workspace.setTime(new Date(start.getTime() + minutes * 60_000));
        await sweep();
        return (await openJobs(workspace.table, 'update-billing'))[0]?.due !== job?.due;
      };
      expect([await sent(0), await sent(59), await sent(61)]).toEqual([false, false, true]);
      await opening();
      expect(stripe.world.customersOf(draft.account_id)).toMatchObject([{ deleted: true }]);
    });

    it('leaves the customers of others with the same address', async () => {
      const address = newAddress();
      const [lost, kept] = [draftOf(address), draftOf(address)];
      await open(lost);
      const billing_reference = await open(kept);
      await workspace.table.put({ ...(await store(kept)), billing_reference });
      for (let i = 0; i < 120; i++)
        stripe.world.answer('POST /v1/customers', { name: 'x', email: address, metadata: {} });
      expect(await opening()).toEqual({ ran: 2, failed: [] });
      expect(stripe.world.customersOf(lost.account_id)).toMatchObject([{ deleted: true }]);
      expect(stripe.world.customersOf(kept.account_id)[0]?.deleted).toBe(undefined);
      expect(stripe.world.subscriptionsOf(kept.account_id)).toMatchObject([{ status: 'trialing' }]);
    });

    longIt('is undone whatever call was the last of a killed process', async () => {
      const deaths: Trouble[] = ['POST /v1/customers', 'POST /v1/subscriptions'].flatMap((on) => [
        { on, breaks: 'silent' },
        { on, breaks: 'silent', done: true },
      ]);
      for (const death of deaths) {
        const draft = draftOf();
        stripe.troubles.push(death, { ...death, done: true });
        const now = new Date();
        workspace.setTime(now);
        await codeOf(billing.billing.open({ ...ctx(), now: new Date(now.getTime() - 21_900) }, draft));
        stripe.troubles.length = 0;
        expect(await opening()).toEqual({ ran: 1, failed: [] });
        expect(stripe.world.customersOf(draft.account_id).every(({ deleted }) => deleted)).toBe(true);
        expect(
          stripe.world.subscriptionsOf(draft.account_id).every(({ status }) => status === 'canceled'),
        ).toBe(true);
      }
    });

    it('asks Stripe for nothing when the job cannot be stored', async () => {
      const asked = stripe.asked.length;
      const fault = failNth(workspace.table, 0);
      await expect(open(draftOf())).rejects.toThrow('Injected');
      fault.remove();
      expect(stripe.asked).toHaveLength(asked);
    });

    longIt('is tried again while Stripe does not answer', async () => {
      const draft = draftOf();
      await open(draft);
      const trouble = { on: 'DELETE /v1/customers/:id', status: 500, error: { type: 'api_error' } };
      stripe.troubles.push(trouble, trouble);
      expect((await opening()).failed).toHaveLength(1);
      expect((await opening()).failed).toEqual([]);
      expect(stripe.world.customersOf(draft.account_id)).toMatchObject([{ deleted: true }]);
    });
  });
});
