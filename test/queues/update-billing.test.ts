import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Billing } from '#shared/domain/identity/billing/billing.ts';
import { addUser } from '#shared/domain/identity/users/add.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/update-billing.ts';
import {
  givenPayingAccount,
  givenStripe,
  referenceOf,
  runBilling,
  storedAccount,
} from '../support/billing.ts';
import { failNth, meanwhile } from '../support/faults.ts';
import { deliverMessages, openJobs } from '../support/jobs.ts';
import { logged } from '../support/logged.ts';
import { givenCode, newAddress } from '../support/one-time-codes.ts';
import type { StripeServer } from '../support/stripe-server.ts';
import type { Subscription } from '../support/stripe-world.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** docs/decisions/0068-billing.md */
describe('the queue update-billing', () => {
  let workspace: Workspace;
  let stripe: StripeServer;
  let users: [TestUser, TestUser, TestUser];
  let account_id: string;
  let subscription: Subscription;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    stripe = await givenStripe(workspace);
    await freshAccount();
  });
  const freshAccount = async () => {
    users = (await givenPayingAccount(workspace, 3)) as typeof users;
    account_id = users[0].user.account_id;
    [subscription] = stripe.world.subscriptionsOf(account_id) as [Subscription];
    await deliver({ account_id });
  };
  afterEach(async () => {
    stripe.troubles.length = 0;
    for (const { PK, SK } of await openJobs(workspace.table)) await workspace.table.delete({ PK, SK });
  });
  afterAll(async () => {
    await stripe.stop();
    await workspace.stop();
  });

  const deliver = (...bodies: object[]) =>
    deliverMessages(
      handler,
      bodies.map((body) => ({ job_id: 'none', ...body })),
    );
  const seats = () => subscription.items.data[0]?.quantity;
  const shown = async () => (await referenceOf(workspace, account_id)).billing;

  describe('seats', () => {
    beforeEach(freshAccount);

    it('are the active users, from the next minute on: who leaves, returns, is invited and joins', async () => {
      const [owner, leaver] = users;
      const params = { id: leaver.user.id };
      expect(seats()).toBe(3);
      await owner.session.deleteUser({ params, body: { replacement_user_id: null } });
      expect((await runBilling(workspace)).ran).toBe(1);
      expect([seats(), (await shown()).seats]).toEqual([2, 2]);
      await owner.session.updateUser({ params, body: { user: { status: 'active' } } });
      await runBilling(workspace);
      expect(seats()).toBe(3);
      const email_address = newAddress();
      await owner.session.createUser({ body: { user: { email_address } } });
      expect((await runBilling(workspace)).ran).toBe(0);
      const one_time_code = await givenCode(workspace, email_address);
      await workspace.client().createSession({ body: { session: { email_address, one_time_code } } });
      await runBilling(workspace);
      expect([seats(), (await shown()).seats]).toEqual([4, 4]);
    });

    it('count whom the operator adds', async () => {
      const person = { name: 'Grace Hopper', email_address: newAddress(), time_zone: 'Etc/UTC' };
      const draft = { ...person, week_starts_on: 'monday' as const, role: 'member' as const };
      await addUser(workspace.table, account_id, draft, new Date());
      expect((await runBilling(workspace)).ran).toBe(1);
      expect([seats(), (await shown()).seats]).toEqual([4, 4]);
    });

    it('make no job when their number stays, nor where nobody pays', async () => {
      const [owner, other] = users;
      const params = { id: other.user.id };
      await owner.session.updateUser({ params, body: { user: { role: 'admin' } } });
      await workspace.ada.session.deleteUser({
        params: { id: workspace.linus.user.id },
        body: { replacement_user_id: null },
      });
      expect(await openJobs(workspace.table, 'update-billing')).toHaveLength(1);
      expect((await runBilling(workspace)).ran).toBe(0);
    });

    it('wait for the first payment', async () => {
      subscription.status = 'incomplete';
      Object.assign(subscription.items.data[0] as object, { quantity: 1 });
      expect(await deliver({ account_id })).toEqual({ failed: [] });
      expect([seats(), await shown()]).toMatchObject([1, { status: 'incomplete', seats: 1 }]);
      subscription.status = 'active';
      await deliver({ account_id });
      expect(seats()).toBe(3);
    });

    it('are those of the price, whatever else the operator has added', async () => {
      const [item] = subscription.items.data as [Subscription['items']['data'][number]];
      subscription.items.data.unshift({ ...item, id: 'si_other', quantity: 7, price: { id: 'price_other' } });
      item.quantity = 1;
      await deliver({ account_id });
      expect(subscription.items.data.map(({ quantity }) => quantity)).toEqual([7, 3]);
      expect(await shown()).toMatchObject({ seats: 3, plan: 'team' });
    });

    it('are not sent again when Stripe has them', async () => {
      const asked = stripe.asked.length;
      await deliver({ account_id }, { account_id });
      const operations = stripe.asked.slice(asked).map(({ operation }) => operation);
      expect(new Set(operations)).toEqual(new Set(['GET /v1/subscriptions']));
    });

    it('are those of the last change, whoever counted first', async () => {
      const { id } = users[2].user;
      const leave = () =>
        workspace.table.update<User>(keys.user(account_id, id), { set: { status: 'deactivated' } });
      Object.assign(subscription.items.data[0] as object, { quantity: 1 });
      const between = meanwhile(workspace.table, 'TransactWriteItemsCommand', async () => {
        between.remove();
        await leave();
        await deliver({ account_id });
        // The slower one has counted three.
        Object.assign(subscription.items.data[0] as object, { quantity: 3 });
      });
      expect(await deliver({ account_id })).toEqual({ failed: [] });
      expect([seats(), (await shown()).seats]).toEqual([2, 2]);
    });
  });

  describe('what is shown', () => {
    beforeEach(() => {
      Object.assign(subscription, { status: 'trialing', trial_end: 2_000_000_000 });
    });

    it('is the newest subscription that goes on, whoever made it', async () => {
      await freshAccount();
      const cases: [Partial<Subscription>, Partial<Billing>][] = [
        [{ status: 'past_due' }, { status: 'past_due', plan: 'team' }],
        [{ trial_end: null }, { trial_ends_at: null }],
        [{ status: 'canceled' }, { status: 'canceled', seats: 3 }],
      ];
      for (const [change, expected] of cases) {
        Object.assign(subscription, change);
        await deliver({ account_id });
        expect(await shown()).toMatchObject(expected);
      }
      const next: Subscription = { ...subscription, id: 'sub_next', status: 'active' };
      stripe.world.subscriptions.set(next.id, next);
      stripe.world.subscriptions.set('sub_last', { ...subscription, id: 'sub_last' });
      await deliver({ account_id });
      expect(await referenceOf(workspace, account_id)).toMatchObject({
        subscription_id: 'sub_next',
        billing: { status: 'active' },
      });
    });

    it('is the price by its lookup key, its name or its id', async () => {
      await freshAccount();
      const price = subscription.items.data[0]?.price as Record<string, unknown>;
      for (const [change, plan] of [
        [{}, 'team'],
        [{ lookup_key: null }, 'For teams'],
        [{ nickname: null }, 'price_team'],
      ] as const) {
        Object.assign(price, change);
        await deliver({ account_id });
        expect((await shown()).plan).toBe(plan);
      }
    });

    it('is no card but a card', async () => {
      const { customer } = subscription;
      const method = stripe.world.givenCard(customer);
      const settings = stripe.world.customers.get(customer)?.invoice_settings as object;
      Object.assign(settings, { default_payment_method: method.id });
      await deliver({ account_id });
      expect((await shown()).card).toEqual(method.card);
      delete method.card;
      await deliver({ account_id });
      expect((await shown()).card).toBe(null);
    });

    it('is nothing of a customer who was deleted at Stripe', async () => {
      await freshAccount();
      Object.assign(stripe.world.customers.get(subscription.customer) as object, { deleted: true });
      expect(await deliver({ account_id }, { customer_id: subscription.customer })).toEqual({ failed: [] });
      expect(await referenceOf(workspace, account_id)).toMatchObject({
        subscription_id: null,
        billing: { provider: 'stripe', status: null, seats: null, card: null },
      });
      await freshAccount();
    });

    it('never goes back to what was read earlier', async () => {
      const between = meanwhile(workspace.table, 'TransactWriteItemsCommand', async () => {
        between.remove();
        subscription.status = 'past_due';
        await deliver({ account_id });
      });
      subscription.status = 'active';
      await deliver({ account_id });
      expect((await shown()).status).toBe('past_due');
    });

    it('changes nothing of the account but this', async () => {
      const { billing_reference: _, ...before } = await storedAccount(workspace, account_id);
      subscription.status = 'active';
      await deliver({ account_id });
      const { billing_reference, ...after } = await storedAccount(workspace, account_id);
      expect(after).toEqual(before);
      expect(billing_reference?.billing.status).toBe('active');
    });
  });

  it('ends what a closed account pays', async () => {
    await freshAccount();
    await users[0].session.closeAccount({ params: { id: account_id } });
    await runBilling(workspace);
    expect([subscription.status, (await shown()).status]).toEqual(['canceled', 'canceled']);
    expect(seats()).toBe(3);
  });

  it('keeps the work on a closed account when the deployment bills nobody any more', async () => {
    await freshAccount();
    await users[0].session.closeAccount({ params: { id: account_id } });
    const { config } = workspace.ctx;
    const { billing } = config;
    config.billing = { ...billing, provider: 'none' };
    expect((await runBilling(workspace)).failed).toHaveLength(1);
    config.billing = billing;
    expect((await runBilling(workspace)).failed).toEqual([]);
    expect(subscription.status).toBe('canceled');
  });

  it('fails, to be tried again, while Stripe does; its words are in no log', async () => {
    const trouble = { on: 'GET /v1/subscriptions', status: 429, error: { type: 'rate_limit_error' } };
    stripe.troubles.push(trouble);
    const log = await logged(async () => {
      expect(await deliver({ account_id })).toEqual({ failed: ['m0'] });
    });
    expect(log).toContain('StripeFailed');
    expect(log).not.toMatch(/4242|ada@|sk_test/);
    expect(await deliver({ account_id })).toEqual({ failed: [] });
  });

  it('has the same effect when any call of the table fails, before or after it is done', async () => {
    await freshAccount();
    const [owner, leaver] = users;
    const params = { id: leaver.user.id };
    await owner.session.deleteUser({ params, body: { replacement_user_id: null } });
    let tries = 0;
    for (let left = 1; left > 0; tries++) {
      const fault = failNth(workspace.table, tries);
      await runBilling(workspace).catch(() => undefined);
      fault.remove();
      ({ ran: left } = fault.hit ? { ran: 1 } : await runBilling(workspace));
    }
    expect(tries).toBeGreaterThan(3);
    expect([seats(), (await shown()).seats]).toEqual([2, 2]);
  });

  it('drops work when the deployment bills nobody any more', async () => {
    const { config } = workspace.ctx;
    const { billing } = config;
    config.billing = { ...billing, provider: 'none' };
    const asked = stripe.asked.length;
    expect(await runBilling(workspace, () => true)).toMatchObject({ failed: [] });
    config.billing = billing;
    expect(stripe.asked).toHaveLength(asked);
    expect(await openJobs(workspace.table, 'update-billing')).toEqual([]);
  });
});
