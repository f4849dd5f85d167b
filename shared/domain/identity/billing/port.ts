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

/** For who only shows it (shared/composition/stored-billing.ts): no bundle has the provider's library for that. */
export interface ReadsBilling {
  billing: {
    read(ctx: Context, account: Account): Promise<Billing>;
  };
}

/** Who takes the money (shared/composition/billing.ts). */
export interface BillsAccounts extends ReadsBilling {
  billing: ReadsBilling['billing'] & {
    /**
     * Before the account is stored. Returns what names it at the provider, to be stored with it; undefined where nobody
     * pays. A repeated call for the same account makes nothing new. 402 `card_declined`, `subscription_failed`; 502
     * `could_not_create_payments_account`, `payments_account_creation_failed`. When the account is not stored after all, a
     * job removes what was made, so the caller need not.
     */
    open(ctx: Context, draft: BilledDraft): Promise<BillingReference | undefined>;
  };
}

/** 502 `billing_unavailable` when it cannot be read. */
export async function readBilling(ctx: Context<ReadsBilling>, account: Account): Promise<Billing> {
  try {
    return await ctx.ports.billing.read(ctx, account);
  } catch (cause) {
    throw new ApiError('billing_unavailable', { cause });
  }
}
