import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { billingJob, erasingJobs, leftToSweep } from '#shared/domain/identity/billing/job.ts';
import { eraseLast } from '#shared/domain/identity/erasing/last.ts';
import { keys } from '#shared/table/keys.ts';
import { handler as update } from '../../../../functions/queues/update-billing.ts';
import { givenAccount } from '../../../support/accounts.ts';
import {
  givenPayingAccount,
  givenStripe,
  referenceOf,
  runBilling,
  storedAccount,
} from '../../../support/billing.ts';
import { crashAfter } from '../../../support/faults.ts';
import { deliverMessages, openJobs } from '../../../support/jobs.ts';
import { longIt } from '../../../support/long.ts';
import type { StripeServer } from '../../../support/stripe-server.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Accounts from before billing, and after they are erased. */
describe('billing', () => {
  let workspace: Workspace;
  let stripe: StripeServer;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    stripe = await givenStripe(workspace);
  });
  afterEach(async () => {
    stripe.troubles.length = 0;
    for (const { PK, SK } of await openJobs(workspace.table)) await workspace.table.delete({ PK, SK });
  });
  afterAll(async () => {
    await stripe.stop();
    await workspace.stop();
  });

  const now = () => workspace.ctx.clock();
  const given = async (users = 2) => {
    const [owner] = (await givenAccount(workspace, users)) as [TestUser];
    return owner.user;
  };
  const ask = async (account_id: string) => {
    const account = await storedAccount(workspace, account_id);
    await workspace.table.transact([leftToSweep(billingJob(account, now()), now())]);
  };

  it('is opened for an account from before, by its owner and with its seats, once', async () => {
    const { account_id, email_address } = await given();
    for (let i = 0; i < 2; i++) await ask(account_id);
    expect(await openJobs(workspace.table, 'update-billing')).toHaveLength(1);
    expect(await runBilling(workspace)).toEqual({ ran: 1, failed: [] });
    expect(stripe.world.customersOf(account_id)).toMatchObject([{ email: email_address }]);
    expect((await referenceOf(workspace, account_id)).billing).toMatchObject({
      provider: 'stripe',
      seats: 2,
    });
    await ask(account_id);
    await runBilling(workspace);
    expect(stripe.world.customersOf(account_id)).toHaveLength(1);
    expect(stripe.world.subscriptionsOf(account_id)).toHaveLength(1);
  });

  it('is opened once also when it is killed at any call, and when two do it at once', async () => {
    const { account_id } = await given();
    await ask(account_id);
    const [job] = await openJobs(workspace.table, 'update-billing');
    const message = { job_id: job?.id, ...job?.body };
    for (let calls = 0; calls < 8; calls++) {
      const crash = crashAfter(workspace.table, calls);
      await deliverMessages(update, [message]);
      crash.remove();
    }
    await Promise.all([deliverMessages(update, [message]), deliverMessages(update, [message])]);
    expect(await referenceOf(workspace, account_id)).toMatchObject({
      customer_id: stripe.world.customersOf(account_id)[0]?.id,
    });
    expect(stripe.world.customersOf(account_id)).toHaveLength(1);
    expect(stripe.world.subscriptionsOf(account_id)).toHaveLength(1);
  });

  it('is not opened for a closed account, nor where nobody pays', async () => {
    const { account_id } = await given();
    await ask(account_id);
    const config = workspace.ctx.config.billing;
    workspace.ctx.config.billing = { ...config, provider: 'none' };
    expect(await runBilling(workspace)).toEqual({ ran: 1, failed: [] });
    workspace.ctx.config.billing = config;
    await ask(account_id);
    await workspace.table.update<Account>(keys.account(account_id), { set: { status: 'closed' } });
    expect(await runBilling(workspace)).toEqual({ ran: 1, failed: [] });
    expect(stripe.world.customersOf(account_id)).toEqual([]);
  });

  longIt('leaves no customer of an account that is erased, however often Stripe fails', async () => {
    const [owner] = (await givenPayingAccount(workspace, 1)) as [TestUser];
    const { account_id } = owner.user;
    await owner.session.closeAccount({ params: { id: account_id } });
    await runBilling(workspace);
    const account = await storedAccount(workspace, account_id);
    expect(await eraseLast(workspace.table, account, now(), () => false)).toBe(true);
    expect(stripe.world.customersOf(account_id)[0]?.deleted).toBe(undefined);
    const trouble = { on: 'DELETE /v1/customers/:id', status: 500, error: { type: 'api_error' } };
    stripe.troubles.push(trouble, trouble);
    expect((await runBilling(workspace)).failed).toHaveLength(1);
    expect(await runBilling(workspace)).toEqual({ ran: 1, failed: [] });
    expect(stripe.world.customersOf(account_id)).toMatchObject([{ deleted: true }]);
    // Once more, for a message that comes twice.
    const [again] = erasingJobs(account, now());
    expect((await deliverMessages(update, [{ job_id: again?.id, ...again?.body }])).failed).toEqual([]);
    const left = await openJobs(workspace.table, 'update-billing');
    expect(left.filter(({ body }) => 'erased_customer_id' in body)).toEqual([]);
  });

  it('does not forget a customer where there is no provider any more', async () => {
    const body = { erased_customer_id: 'cus_1' };
    const config = workspace.ctx.config.billing;
    workspace.ctx.config.billing = { ...config, provider: 'none' };
    expect((await deliverMessages(update, [{ job_id: 'x', ...body }])).failed).toHaveLength(1);
    workspace.ctx.config.billing = config;
  });
});
