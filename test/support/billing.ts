import { billing } from '#shared/composition/billing.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { BillingReference } from '#shared/domain/identity/billing/billing.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/update-billing.ts';
import { givenAccount } from './accounts.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import { type StripeServer, startStripe } from './stripe-server.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Accounts that pay, by a local Stripe. */

/** The service bills by Stripe from now on. */
export async function givenStripe(workspace: Workspace): Promise<StripeServer> {
  const stripe = await startStripe();
  workspace.ctx.config.billing = stripe.config;
  return stripe;
}

export const storedAccount = async ({ table }: Workspace, id: string) =>
  (await table.get<Account>(keys.account(id))) as Account;

/** The users of an account that is billed; the first owns it. */
export async function givenPayingAccount(workspace: Workspace, users: number): Promise<TestUser[]> {
  const all = await givenAccount(workspace, users);
  const { account_id, name, email_address } = (all[0] as TestUser).user;
  const billing_reference = (await billing.billing.open(
    { ...workspace.ctx, ports: {}, now: workspace.ctx.clock() },
    { account_id, name, email_address: `${account_id}.${email_address}` },
  )) as BillingReference;
  await workspace.table.update<Account>(keys.account(account_id), { set: { billing_reference } });
  return all;
}

export const referenceOf = async (workspace: Workspace, id: string) =>
  (await storedAccount(workspace, id)).billing_reference as BillingReference;

/** Delivers the jobs that wait for the queue `update-billing`, those of openings too when `due` says so. */
export async function runBilling(
  { table }: Workspace,
  due: (work: Record<string, unknown>) => boolean = (work) => !('email_address' in work),
): Promise<{ ran: number; failed: string[] }> {
  const jobs = (await openJobs(table, 'update-billing')).filter(({ body }) => due(body));
  const messages = jobs.map(({ id, body }) => ({ job_id: id, ...body }));
  return { ran: jobs.length, ...(await deliverMessages(handler, messages)) };
}
