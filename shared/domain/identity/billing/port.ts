import type { Context } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { ApiError } from '#shared/errors.ts';
import type { Billing, BillingReference } from './billing.ts';

/** A new account, as its provider gets to know it. */
export interface BilledDraft {
  account_id: string;
  name: string;
  email_address: string;
}

/** Who takes the money (shared/composition/billing.ts). */
export interface BillsAccounts {
  billing: {
    /**
     * Before the account is stored. Returns what names it at the provider, to be stored with it; undefined where nobody
     * pays. A repeated call for the same account makes nothing new.
     */
    open(ctx: Context, draft: BilledDraft): Promise<BillingReference | undefined>;
    read(ctx: Context, account: Account): Promise<Billing>;
    /** Nothing is charged from now on. Also after an `open` whose account was never stored. */
    close(ctx: Context, account: Pick<Account, 'id' | 'billing_reference'>): Promise<void>;
  };
}

/** 502 `billing_unavailable` when the provider does not answer. */
export async function readBilling(ctx: Context<BillsAccounts>, account: Account): Promise<Billing> {
  try {
    return await ctx.ports.billing.read(ctx, account);
  } catch (cause) {
    throw new ApiError('billing_unavailable', { cause });
  }
}
