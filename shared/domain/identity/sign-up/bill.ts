import type { Context } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { Opening } from '#shared/domain/identity/accounts/open.ts';
import type { Billing } from '#shared/domain/identity/billing/billing.ts';
import type { BillsAccounts } from '#shared/domain/identity/billing/port.ts';
import { ApiError } from '#shared/errors.ts';
import { describeError, getLogger } from '#shared/log.ts';

type Ctx = Context<BillsAccounts>;

type Failing = (options: { cause: unknown }) => ApiError;

/** Refusals of the provider, such as a declined card, are told as they are. */
async function ask<T>(question: () => Promise<T>, failing: Failing): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    const told = cause instanceof ApiError && cause.code !== 'billing_unavailable';
    throw told ? cause : failing({ cause });
  }
}

/** Whatever the provider has of an account that is not stored. The request fails for another reason, so this may. */
export async function stopBilling(ctx: Ctx, account: Account): Promise<void> {
  await ctx.ports.billing.close(ctx, account).catch((error: unknown) => {
    getLogger().error('billing goes on for an account that was not opened', {
      account_id: account.id,
      error: describeError(error),
    });
  });
}

/** The account with what names it at the payment provider, and what it pays: all that can fail there, before it is stored. */
export async function billed(
  ctx: Ctx,
  { account, owner }: Opening,
): Promise<{ account: Account; billing: Billing }> {
  const { id: account_id, name } = account;
  const draft = { account_id, name, email_address: owner.email_address };
  const billing_reference = await ask(
    () => ctx.ports.billing.open(ctx, draft),
    (options) => new ApiError('could_not_create_payments_account', options),
  );
  const paying: Account = billing_reference ? { ...account, billing_reference } : account;
  try {
    const billing = await ask(
      () => ctx.ports.billing.read(ctx, paying),
      (options) => new ApiError('payments_account_creation_failed', options),
    );
    return { account: paying, billing };
  } catch (error) {
    await stopBilling(ctx, paying);
    throw error;
  }
}
