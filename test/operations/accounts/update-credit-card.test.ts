import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler } from '../../../functions/queues/update-billing.ts';
import { givenPayingAccount, givenStripe, referenceOf } from '../../support/billing.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { refuse } from '../../support/faults.ts';
import { deliverMessages } from '../../support/jobs.ts';
import { logged } from '../../support/logged.ts';
import type { StripeServer } from '../../support/stripe-server.ts';
import type { Subscription } from '../../support/stripe-world.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /accounts/credit_cards', () => {
  let workspace: Workspace;
  let stripe: StripeServer;
  let owner: TestUser;
  let member: TestUser;
  let customer: string;
  let subscription: Subscription;
  beforeAll(async () => {
    workspace = await startWorkspace();
    stripe = await givenStripe(workspace);
  });
  beforeEach(async () => {
    stripe.troubles.length = 0;
    [owner, member] = (await givenPayingAccount(workspace, 2)) as [TestUser, TestUser];
    customer = (await referenceOf(workspace, owner.user.account_id)).customer_id;
    [subscription] = stripe.world.subscriptionsOf(owner.user.account_id) as [Subscription];
  });
  afterAll(async () => {
    await stripe.stop();
    await workspace.stop();
  });

  const use = ({ session }: TestUser, payment_method_id: string) =>
    session.updateCreditCard({ body: { credit_card: { payment_method_id } } });
  const shown = async ({ reader, user }: TestUser) =>
    (await reader.retrieveAccount({ params: { id: user.account_id } })).body.account.billing;
  const charged = () => stripe.world.customers.get(customer)?.invoice_settings.default_payment_method;

  it('200: the card of a setup, or of nobody, is charged from now on, and shown at once', async () => {
    for (const of of [customer, null]) {
      const card = stripe.world.givenCard(of);
      const { status, body } = await use(owner, card.id);
      expect([status, body]).toEqual([200, { ok: 'ok' }]);
      expect([charged(), card.customer]).toEqual([card.id, customer]);
      expect(await shown(owner)).toEqual({
        provider: 'stripe',
        status: 'trialing',
        plan: 'team',
        seats: 2,
        trial_ends_at: expect.stringMatching(/Z$/),
        current_period_ends_at: expect.stringMatching(/Z$/),
        card: card.card,
      });
    }
  });

  it('200: again, and twice at once', async () => {
    const card = stripe.world.givenCard(customer);
    const answers = await Promise.all([use(owner, card.id), use(owner, card.id), use(owner, card.id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(stripe.world.subscriptionsOf(owner.user.account_id)).toHaveLength(1);
    expect((await shown(owner)).card).toEqual(card.card);
  });

  it('200: two cards at once, of which one is charged and shown', async () => {
    const [one, two] = [stripe.world.givenCard(customer), stripe.world.givenCard(customer)];
    await Promise.all([use(owner, one.id), use(owner, two.id)]);
    expect((await shown(owner)).card).toEqual(charged() === one.id ? one.card : two.card);
  });

  it('200: a subscription keeps no card of its own', async () => {
    subscription.default_payment_method = stripe.world.givenCard(customer).id;
    const card = stripe.world.givenCard(customer);
    await use(owner, card.id);
    expect(subscription.default_payment_method).toBe(null);
    expect((await shown(owner)).card).toEqual(card.card);
  });

  it.each(['past_due', 'unpaid', 'incomplete'])('200: what is overdue is paid (%s)', async (status) => {
    subscription.status = status;
    const invoices = [stripe.world.givenInvoice(customer), stripe.world.givenInvoice(customer)];
    const sent = stripe.world.givenInvoice(customer, 'send_invoice');
    await use(owner, stripe.world.givenCard(customer).id);
    expect([...invoices, sent].map((each) => each.status)).toEqual(['paid', 'paid', 'open']);
    expect((await shown(owner)).status).toBe('active');
  });

  it('200: paid although Stripe says it failed', async () => {
    subscription.status = 'past_due';
    const invoice = stripe.world.givenInvoice(customer);
    stripe.troubles.push({
      ...{ on: 'POST /v1/invoices/:id/pay', status: 402, done: true },
      error: { type: 'card_error' },
    });
    await use(owner, stripe.world.givenCard(customer).id);
    expect(invoice.status).toBe('paid');
  });

  it('200: what is overdue is paid once by two requests at once', async () => {
    subscription.status = 'past_due';
    const invoice = stripe.world.givenInvoice(customer);
    const { id } = stripe.world.givenCard(customer);
    await Promise.all([use(owner, id), use(owner, id)]);
    expect(invoice.status).toBe('paid');
  });

  it('is kept for admins: who changed which card into which', async () => {
    const [first, second] = [stripe.world.givenCard(customer), stripe.world.givenCard(customer)];
    await use(owner, first.id);
    await use(owner, second.id);
    await use(owner, second.id);
    const { records } = (await owner.session.listAuditEvents()).body.collection;
    const changed = records.filter(({ action }) => action === 'account_updated');
    expect(changed.map(({ user_id, changes }) => ({ user_id, changes }))).toEqual([
      { user_id: owner.user.id, changes: [{ field: 'card', before: first.card, after: second.card }] },
      { user_id: owner.user.id, changes: [{ field: 'card', before: null, after: first.card }] },
    ]);
  });

  it('502 recovery_request_failed: the card does not pay what is overdue; another one does', async () => {
    subscription.status = 'past_due';
    const invoice = stripe.world.givenInvoice(customer);
    const poor = stripe.world.givenCard(customer, true);
    expect(await codeOf(use(owner, poor.id))).toBe('502 recovery_request_failed');
    expect([invoice.status, charged()]).toEqual(['open', poor.id]);
    await use(owner, stripe.world.givenCard(customer).id);
    expect(invoice.status).toBe('paid');
  });

  it('200: a subscription that has ended begins again, once, with the seats of the account', async () => {
    subscription.status = 'canceled';
    const card = stripe.world.givenCard(customer);
    workspace.setTime(new Date());
    await Promise.all([use(owner, card.id), use(owner, card.id)]);
    workspace.setTime(undefined);
    await use(owner, card.id);
    const [, again, ...others] = stripe.world.subscriptionsOf(owner.user.account_id);
    expect(others).toEqual([]);
    expect(again).toMatchObject({ status: 'active', trial_end: null });
    expect(await referenceOf(workspace, owner.user.account_id)).toMatchObject({ subscription_id: again?.id });
    expect(await shown(owner)).toMatchObject({ status: 'active', seats: 2, card: card.card });
  });

  it('502 subscription_update_failed: it does not begin again with this card', async () => {
    subscription.status = 'canceled';
    const poor = stripe.world.givenCard(customer, true);
    expect(await codeOf(use(owner, poor.id))).toBe('502 subscription_update_failed');
    expect(stripe.world.subscriptionsOf(owner.user.account_id)).toHaveLength(1);
    const card = stripe.world.givenCard(customer);
    expect((await use(owner, card.id)).status).toBe(200);
  });

  it('502 payment_method_attach_failed: of another customer, or unknown; nothing changes', async () => {
    const [stranger] = (await givenPayingAccount(workspace, 1)) as [TestUser];
    const { customer_id } = await referenceOf(workspace, stranger.user.account_id);
    const theirs = stripe.world.givenCard(customer_id);
    for (const id of [theirs.id, `pm_${randomUUID().replaceAll('-', '')}`])
      expect(await codeOf(use(owner, id))).toBe('502 payment_method_attach_failed');
    expect([theirs.customer, charged()]).toEqual([customer_id, null]);
    expect(stripe.asked.at(-1)?.operation).toMatch(/^GET .v1.payment_methods/);
  });

  it.each([
    ['POST /v1/payment_methods/:id/attach', 'payment_method_attach_failed'],
    ['POST /v1/customers/:id', 'customer_update_failed'],
    ['GET /v1/subscriptions', 'subscription_update_failed'],
    ['POST /v1/subscriptions/:id', 'subscription_update_failed'],
    ['GET /v1/invoices', 'recovery_request_failed'],
  ])('502: Stripe fails at %s, whether it did it or not; sent again it succeeds', async (on, code) => {
    subscription.status = 'past_due';
    subscription.default_payment_method = stripe.world.givenCard(customer).id;
    const invoice = stripe.world.givenInvoice(customer);
    const card = stripe.world.givenCard();
    for (const done of [[], [{ done: true as const }]]) {
      const trouble = { on, status: 400, error: { type: 'invalid_request_error' }, ...done[0] };
      stripe.troubles.push(trouble);
      if (on.includes('attach')) card.customer = null;
      const log = await logged(async () => expect(await codeOf(use(owner, card.id))).toBe(`502 ${code}`));
      expect(log).not.toMatch(/4242|ada@|sk_test|pm_/);
      if (invoice.status === 'paid') break;
    }
    expect((await use(owner, card.id)).status).toBe(200);
    expect([invoice.status, charged()]).toEqual(['paid', card.id]);
    expect(await shown(owner)).toMatchObject({ status: 'active', card: card.card });
  });

  it('200: the card is in use although the table does not take its picture, and its news bring it', async () => {
    const card = stripe.world.givenCard(customer);
    const refusal = refuse(workspace.table, 'TransactWriteItemsCommand', { type: 'InternalServerError' });
    expect((await use(owner, card.id)).status).toBe(200);
    refusal.remove();
    expect([refusal.sent > 0, charged(), (await shown(owner)).card]).toEqual([true, card.id, null]);
    const { account_id } = owner.user;
    await deliverMessages(handler, [{ job_id: 'none', account_id }]);
    expect((await shown(owner)).card).toEqual(card.card);
  });

  it('is for admins, in a session: 403', async () => {
    const { id } = stripe.world.givenCard(customer);
    expect(await codeOf(use(member, id))).toBe('403 permission_denied');
    expect(
      await codeOf(owner.api.updateCreditCard({ body: { credit_card: { payment_method_id: id } } })),
    ).toBe('403 api_key_insufficient');
    expect(charged()).toBe(null);
  });

  it('400: no payment method', async () => {
    const field = { payment_method_id: 'invalid_format' };
    for (const id of [
      'card_1',
      'pm_',
      'pm_1/../../customers',
      'pm_1?expand=x',
      `pm_${'a'.repeat(251)}`,
      'pm_ä',
    ])
      expect(Object.keys(await problemsOf(use(owner, id)))).toEqual(Object.keys(field));
    expect(await problemsOf(owner.session.updateCreditCard({ body: {} as never }))).toEqual({
      credit_card: 'required',
    });
  });

  it('502 customer_update_failed: nobody pays for the account', async () => {
    const { id } = stripe.world.givenCard();
    expect(await codeOf(use(workspace.ada, id))).toBe('502 customer_update_failed');
    expect(await codeOf(use(workspace.grace, id))).toBe('403 permission_denied');
  });
});
