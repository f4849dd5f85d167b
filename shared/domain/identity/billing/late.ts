import type { Context } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { ownersOf } from '#shared/domain/identity/accounts/owners.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { missing } from '#shared/table/table.ts';
import type { Payments } from './payments.ts';

/**
 * Opens billing for an account from before there was any (`npm run admin -- bill-accounts`). Idempotent: the provider makes
 * nothing new within a day, and a job that fails is tried for hours.
 */
export async function openLate(ctx: Context, payments: Payments, account_id: string): Promise<void> {
  const { table } = ctx;
  const key = keys.account(account_id);
  await retryOnConflict(async () => {
    const account = await table.get<Account>(key);
    if (account?.status !== 'active' || account.billing_reference) return;
    const [owner] = await findUsers(table, account_id, ownersOf(account).slice(0, 1));
    if (!owner) return;
    const { name } = account;
    const { email_address } = owner;
    const { customer_id, subscription_id, billing } = await payments.open(ctx, {
      account_id,
      name,
      email_address,
    });
    const billing_reference = { customer_id, subscription_id, billing, readings: 0 };
    await table.update<Account>(key, {
      set: { billing_reference },
      when: { status: 'active', billing_reference: missing },
    });
  });
}
