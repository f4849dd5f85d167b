import type { BillingConfig } from '#shared/billing-settings.ts';
import type { Context } from '#shared/context.ts';
import type { Billing } from './billing.ts';
import type { BilledDraft } from './port.ts';

/** What a customer subscribed to, as the provider has it now. */
export interface Subscribed {
  subscription_id: string | null;
  /** Nothing is charged for it any more. */
  ended: boolean;
  /** Its seats can be set: not before its first payment. */
  counts: boolean;
  billing: Billing;
}

/** What a browser needs to hand a card to the provider, and to nobody else. */
export interface CardSetup {
  client_secret: string;
  publishable_key: string;
}

/** Something changed at the provider. It says where to look and nothing else, so its order does not matter. */
export type BillingNews = { account_id: string } | { customer_id: string };

/** A provider of payments. Whatever is not said to throw an ApiError throws when the provider does not do it. */
export interface Payments {
  /** A customer with a subscription. As `open` of the port `BillsAccounts`. */
  open(ctx: Context, draft: BilledDraft): Promise<Subscribed & { customer_id: string }>;
  read(ctx: Context, customer_id: string): Promise<Subscribed>;
  setSeats(ctx: Context, subscription_id: string, seats: number): Promise<void>;
  /** Ends all subscriptions of the customer. */
  end(ctx: Context, customer_id: string): Promise<void>;
  /** Removes the customers that were made for an account which was never stored. */
  forget(ctx: Context, draft: Pick<BilledDraft, 'account_id' | 'email_address'>): Promise<void>;
  /** Removes a customer whose account is erased, with what the provider knows of it. One that is gone is no error. */
  erase(ctx: Context, customer_id: string): Promise<void>;
  /** The account that a customer was made for; undefined for customers of others. */
  accountOf(ctx: Context, customer_id: string): Promise<string | undefined>;
  /** 502 `setup_intent_creation_failed`. */
  setUpCard(ctx: Context, customer_id: string): Promise<CardSetup>;
  /**
   * What is charged from now on, and what is overdue at once. 502 `payment_method_attach_failed`, also for a payment method
   * of somebody else, `customer_update_failed`, `subscription_update_failed`, `recovery_request_failed`.
   */
  useCard(
    ctx: Context,
    payer: { account_id: string; customer_id: string; seats: number },
    payment_method_id: string,
  ): Promise<void>;
  /** Undefined for news of something else. 400 when the provider did not write it, or long ago. */
  hear(ctx: Context, body: string, signature: string): Promise<BillingNews | undefined>;
}

/** Port: the provider of the deployment; undefined where nobody pays. */
export interface TakesPayments {
  payments: (config: BillingConfig) => Payments | undefined;
}

export const paymentsOf = ({ config, ports }: Context<TakesPayments>) => ports.payments(config.billing);
