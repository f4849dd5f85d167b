import { asOfNow, type Context } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { paidNoMore } from '#shared/domain/identity/accounts/closed.ts';
import { type Acting, audit, differences } from '#shared/domain/identity/audit/audit.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import { getLogger } from '#shared/log.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { update, type Write } from '#shared/table/table.ts';
import type { Billing, BillingReference } from './billing.ts';
import type { BillingWork } from './job.ts';
import { openLate } from './late.ts';
import { type Payments, paymentsOf, type Subscribed, type TakesPayments } from './payments.ts';

/**
 * Makes an account and its provider agree: the provider learns the seats and that the account is closed, the account what
 * it pays. Everything is read anew, so it may run at any time, in any order, twice and at once.
 */

type PayingAccount = Account & { billing_reference: BillingReference };

const pays = (account: Account | undefined): account is PayingAccount =>
  account?.billing_reference !== undefined;

async function seatsOf({ table }: Context, { id }: Account): Promise<number> {
  return (await listUsers(table, id)).filter(({ status }) => status === 'active').length;
}

/** Tells the provider what it does not know yet. */
async function agreed(ctx: Context, payments: Payments, account: PayingAccount): Promise<Subscribed> {
  const { customer_id } = account.billing_reference;
  const found = await payments.read(ctx, customer_id);
  if (found.ended) return found;
  if (account.status !== 'active') {
    await payments.end(ctx, customer_id);
    return payments.read(ctx, customer_id);
  }
  if (!found.counts || found.subscription_id === null) return found;
  const seats = await seatsOf(ctx, account);
  if (found.billing.seats === seats) return found;
  await payments.setSeats(ctx, found.subscription_id, seats);
  return { ...found, billing: { ...found.billing, seats } };
}

/** For the user who asks for it: another card than at the beginning of the request. */
function auditOf(ctx: Context & Acting, { id, name }: Account, card: Billing['card']): Write[] {
  const before = ctx.caller?.account.billing_reference?.billing;
  const changes = before ? differences<Pick<Billing, 'card'>>(before, { card }, ['card']) : [];
  if (changes.length === 0) return [];
  return [audit(ctx, id, { action: 'account_updated', subject: { type: 'account', id, name }, changes })];
}

/** Of two at once, the one whose account was changed meanwhile reads again: nothing older replaces what is newer. */
export async function refreshBilling(
  ctx: Context & Acting,
  payments: Payments,
  account_id: string,
): Promise<void> {
  await retryOnConflict(async () => {
    const key = keys.account(account_id);
    const account = await ctx.table.get<Account>(key);
    if (!pays(account)) return;
    const { customer_id, readings } = account.billing_reference;
    const { subscription_id, billing, ended } = await agreed(ctx, payments, account);
    await ctx.table.transact([
      update<Account>(key, {
        set: { billing_reference: { customer_id, subscription_id, billing, readings: readings + 1 } },
        when: { billing_reference: account.billing_reference },
      }),
      ...auditOf(ctx, account, billing.card),
      ...(account.status === 'closed' && ended ? [paidNoMore(account)] : []),
    ]);
  });
}

/** An opening whose account was never stored leaves nobody who pays. */
async function unlessStored(
  ctx: Context,
  payments: Payments,
  draft: { account_id: string; email_address: string },
): Promise<void> {
  if (await ctx.table.get(keys.account(draft.account_id))) return;
  getLogger().warn('an account was not stored, and is removed from its provider', {
    account_id: draft.account_id,
  });
  await payments.forget(ctx, draft);
}

/** A deployment that bills nobody any more drops its work, unless a closed account would go on paying. */
async function requireNobodyPays({ table }: Context, work: BillingWork): Promise<void> {
  if ('erased_customer_id' in work)
    throw new Error('An erased account has a customer, and the deployment no provider');
  const account = 'account_id' in work ? await table.get<Account>(keys.account(work.account_id)) : undefined;
  if (pays(account) && account.status === 'closed')
    throw new Error('A closed account has a provider, and the deployment none');
}

async function workAt(ctx: Context, payments: Payments, work: BillingWork): Promise<void> {
  if ('erased_customer_id' in work) return payments.erase(ctx, work.erased_customer_id);
  if ('opens' in work) await openLate(ctx, payments, work.account_id);
  if ('email_address' in work) await unlessStored(ctx, payments, work);
  const account_id = 'account_id' in work ? work.account_id : await payments.accountOf(ctx, work.customer_id);
  if (account_id !== undefined) await refreshBilling(ctx, payments, account_id);
}

/** What the queue `update-billing` does. */
export async function doBillingWork(
  ctx: Context<TakesPayments>,
  job_id: string,
  work: BillingWork,
): Promise<void> {
  const payments = paymentsOf(ctx);
  if (!payments) await requireNobodyPays(ctx, work);
  else await workAt(asOfNow(ctx), payments, work);
  await ctx.table.delete(keys.job(job_id));
}
