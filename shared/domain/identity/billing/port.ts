import type { Context } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { ApiError } from '#shared/errors.ts';
import type { Billing } from './billing.ts';

/** Who takes the money (shared/composition/billing.ts). */
export interface BillsAccounts {
  billing: { read(ctx: Context, account: Account): Promise<Billing> };
}

/** 502 `billing_unavailable` when the provider does not answer. */
export async function readBilling(ctx: Context<BillsAccounts>, account: Account): Promise<Billing> {
  try {
    return await ctx.ports.billing.read(ctx, account);
  } catch (cause) {
    throw new ApiError('billing_unavailable', { cause });
  }
}
