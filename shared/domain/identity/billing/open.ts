import type { Context } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { Billing, BillingReference } from './billing.ts';
import { openingJob } from './job.ts';
import { paymentsOf, type TakesPayments } from './payments.ts';
import type { BilledDraft } from './port.ts';

/** Opening accounts at the provider (docs/decisions/0068-billing.md). */

/** As `open` of the port `BillsAccounts`. The job is there before anything is at the provider. */
export async function openBilling(
  ctx: Context<TakesPayments>,
  draft: BilledDraft,
): Promise<BillingReference | undefined> {
  const payments = paymentsOf(ctx);
  if (!payments) return undefined;
  await commit(ctx, { writes: [], jobs: [openingJob(draft, ctx.now)] });
  const { customer_id, subscription_id, billing } = await payments.open(ctx, draft);
  return { customer_id, subscription_id, billing, readings: 0 };
}

const unpaid: Billing = {
  provider: 'none',
  status: null,
  plan: null,
  seats: null,
  trial_ends_at: null,
  current_period_ends_at: null,
  card: null,
};

/** What the provider said last. It costs nothing: every request has its account. */
export const storedBilling = ({ billing_reference }: Pick<Account, 'billing_reference'>): Billing =>
  billing_reference?.billing ?? unpaid;
