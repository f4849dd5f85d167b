import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { givenPayingAccount, givenStripe, referenceOf, runBilling } from '../../support/billing.ts';
import { codeOf } from '../../support/failures.ts';
import { openJobs } from '../../support/jobs.ts';
import { logged } from '../../support/logged.ts';
import { asJson, errorText, raw } from '../../support/raw.ts';
import type { StripeServer } from '../../support/stripe-server.ts';
import type { Subscription } from '../../support/stripe-world.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /billing/events', () => {
  let workspace: Workspace;
  let stripe: StripeServer;
  let owner: TestUser;
  let subscription: Subscription;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    stripe = await givenStripe(workspace);
    [owner] = (await givenPayingAccount(workspace, 1)) as [TestUser];
    [subscription] = stripe.world.subscriptionsOf(owner.user.account_id) as [Subscription];
    await runBilling(workspace, () => true);
  });
  afterEach(() => workspace.setTime(undefined));
  afterAll(async () => {
    await stripe.stop();
    await workspace.stop();
  });

  type Event = ReturnType<StripeServer['event']>;
  const send = ({ body, headers }: Event) =>
    raw(workspace.url, { method: 'POST', path: '/billing/events', headers, body });
  const jobs = () => openJobs(workspace.table, 'update-billing');
  const billing = async () =>
    (await owner.reader.retrieveAccount({ params: { id: owner.user.account_id } })).body.account.billing;

  it('200: the account is read anew, and shows what there is', async () => {
    for (const status of ['active', 'past_due', 'unpaid', 'active']) {
      subscription.status = status;
      const answer = await send(stripe.event('customer.subscription.updated', subscription));
      expect([answer.status, answer.json]).toEqual([200, { ok: 'ok' }]);
      expect(await runBilling(workspace)).toEqual({ ran: 1, failed: [] });
      expect((await billing()).status).toBe(status);
    }
  });

  it('200: twice is one job while it waits, and late, early or forged objects say nothing', async () => {
    subscription.status = 'active';
    const old = stripe.event('customer.subscription.updated', { ...subscription, status: 'trialing' });
    const ended = stripe.event('customer.subscription.deleted', { ...subscription, status: 'canceled' });
    for (const event of [ended, old, old, ended]) expect((await send(event)).status).toBe(200);
    expect(await jobs()).toHaveLength(2);
    await runBilling(workspace);
    expect((await billing()).status).toBe('active');
  });

  it.each([
    ['customer.updated', () => stripe.world.customersOf(owner.user.account_id)[0] as object],
    [
      'payment_method.automatically_updated',
      () => stripe.world.givenCard(stripe.world.customersOf(owner.user.account_id)[0]?.id),
    ],
    [
      'invoice.paid',
      () => stripe.world.givenInvoice(stripe.world.customersOf(owner.user.account_id)[0]?.id as string),
    ],
  ])('200: %s names the account by itself or by its customer', async (type, object) => {
    const { readings } = await referenceOf(workspace, owner.user.account_id);
    expect((await send(stripe.event(type, object()))).status).toBe(200);
    expect(await runBilling(workspace)).toEqual({ ran: 1, failed: [] });
    expect(await referenceOf(workspace, owner.user.account_id)).toMatchObject({ readings: readings + 1 });
  });

  it('200: of accounts and customers that are not of this service nothing comes', async () => {
    const stranger = { id: 'cus_stranger', object: 'customer', metadata: {} };
    for (const object of [
      { ...subscription, metadata: { account_id: randomUUID() } },
      { ...subscription, metadata: { account_id: workspace.account_id } },
      { ...subscription, metadata: { account_id: 'x' }, customer: 'cus_stranger' },
      stranger,
      { id: 'pm_1', object: 'payment_method', customer: 'cus_stranger' },
    ])
      expect((await send(stripe.event('customer.updated', object))).status).toBe(200);
    expect((await runBilling(workspace)).failed).toEqual([]);
    expect(await jobs()).toEqual([]);
  });

  it('200: events of anything else are no work', async () => {
    for (const object of [{}, { object: 'charge', id: 'ch_1' }, { object: 'payment_method', id: 'pm_1' }])
      expect((await send(stripe.event('charge.succeeded', object))).status).toBe(200);
    expect(await jobs()).toEqual([]);
  });

  it('400: without the right signature, without saying why', async () => {
    const event = () => stripe.event('customer.subscription.updated', subscription);
    const minutes = (count: number) => new Date(Date.now() + count * 60_000);
    const signed = (header: string): Event => ({
      ...event(),
      headers: [asJson, ['Stripe-Signature', header]],
    });
    const right = event();
    const header = right.headers.find(([name]) => name === 'Stripe-Signature')?.[1] as string;
    const bad: Event[] = [
      stripe.event('customer.updated', subscription, new Date(), 'whsec_other'),
      stripe.event('customer.updated', subscription, minutes(-6)),
      { ...right, body: right.body.replace('"active"', '"canceled"').replace('false', 'true') },
      { ...right, body: `${right.body} ` },
      { ...right, headers: [asJson] },
      signed(''),
      signed(header),
      signed(header.replace('v1=', 'v0=')),
      signed('t=1,v1=00'),
      signed(`t=${'9'.repeat(400)},v1=${'0'.repeat(64)}`),
      signed(`${header},v1=é`),
    ];
    const log = await logged(async () => {
      const answers = await Promise.all(bad.map(send));
      expect(answers.map(({ status }) => status)).toEqual(bad.map(() => 400));
      expect(new Set(answers.map(errorText)).size).toBe(1);
    });
    expect(log).not.toMatch(/whsec|v1=/);
    expect(await jobs()).toEqual([]);
  });

  it('400: by the client, which cannot sign', async () => {
    const body = { id: 'evt_1', type: 'customer.updated', data: { object: {} } };
    expect(await codeOf(workspace.client().createBillingEvent({ body }))).toBe('400 invalid_request');
  });

  it('200: signed 4 minutes ago by the clock of the service, with several signatures during a rotation', async () => {
    const event = stripe.event('charge.succeeded', { object: 'charge' }, new Date(Date.now() - 240_000));
    const other = stripe.event('charge.succeeded', {}, new Date(), 'whsec_other').headers[2]?.[1] as string;
    const [type, accept, [name, header]] = event.headers as [
      [string, string],
      [string, string],
      [string, string],
    ];
    const both: [string, string] = [name, `${header},v1=${other.split('v1=')[1]}`];
    expect((await send({ ...event, headers: [type, accept, both] })).status).toBe(200);
  });

  it('400: where nobody pays', async () => {
    const { config } = workspace.ctx;
    const { billing: set } = config;
    config.billing = { ...set, provider: 'none' };
    expect((await send(stripe.event('customer.updated', subscription))).status).toBe(400);
    config.billing = { ...set, webhook_secret: undefined };
    expect((await send(stripe.event('customer.updated', subscription, new Date(), ' '))).status).toBe(400);
    config.billing = set;
  });

  it('hears every character of a name', async () => {
    const metadata = { account_id: owner.user.account_id, note: 'Zoë 👩🏽‍👩🏻‍👧🏿‍👦 \u2028 \u0000' };
    expect(
      (await send(stripe.event('customer.updated', { object: 'customer', id: 'cus_1', metadata }))).status,
    ).toBe(200);
    expect((await runBilling(workspace)).ran).toBe(1);
  });
});
