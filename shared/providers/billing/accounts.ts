import type Stripe from 'stripe';
import type { Context } from '#shared/context.ts';
import type { BilledDraft } from '#shared/domain/identity/billing/port.ts';
import { ApiError } from '#shared/errors.ts';
import { ask, askOr, connect, StripeFailed, unlessMissing } from './client.ts';
import { hasEnded, shown, subscriptionsOf } from './subscription.ts';

/** Accounts of the service at Stripe: a customer each, whose metadata name the account. */

/** Repeated with the same key within a day, Stripe gives its first answer again and makes nothing new. */
const once = (what: string, account_id: string) => ({ idempotencyKey: `${what} of ${account_id}` });

function customerOf(stripe: Stripe, { account_id, name, email_address }: BilledDraft) {
  const customer = { name, email: email_address, metadata: { account_id } };
  return askOr(
    (why) => new ApiError('could_not_create_payments_account', why),
    () => stripe.customers.create(customer, once('customer', account_id)),
  );
}

/** Stripe says no, or is out of order, out of reach or set up wrongly. */
function notSubscribed(why: { cause: unknown }): ApiError {
  const type = why.cause instanceof StripeFailed ? why.cause.type : undefined;
  if (type === 'StripeCardError') return new ApiError('card_declined', why);
  if (type === 'StripeInvalidRequestError') return new ApiError('subscription_failed', why);
  return new ApiError('payments_account_creation_failed', why);
}

async function subscriptionOf(
  stripe: Stripe,
  { config: { billing } }: Context,
  customer: string,
  account_id: string,
) {
  const { price, trial_days } = billing;
  if (price === undefined) throw new Error('STRIPE_PRICE is not set');
  const wanted: Stripe.SubscriptionCreateParams = {
    customer,
    items: [{ price, quantity: 1 }],
    // There is no card yet. Without a trial, the first payment waits for one.
    payment_behavior: 'default_incomplete',
    metadata: { account_id },
    ...(trial_days > 0 ? { trial_period_days: trial_days } : {}),
  };
  return askOr(notSubscribed, () => stripe.subscriptions.create(wanted, once('subscription', account_id)));
}

export async function open(ctx: Context, draft: BilledDraft) {
  const stripe = await connect(ctx);
  const { id: customer_id } = await customerOf(stripe, draft);
  const subscription = await subscriptionOf(stripe, ctx, customer_id, draft.account_id);
  return { customer_id, ...shown(subscription, ctx.config.billing.price) };
}

export async function end(ctx: Context, customer_id: string): Promise<void> {
  const stripe = await connect(ctx);
  for (const subscription of await subscriptionsOf(stripe, customer_id))
    if (!hasEnded(subscription)) await unlessMissing(() => stripe.subscriptions.cancel(subscription.id));
}

/** Deleting a customer ends its subscriptions. Stripe lists customers by address at once, and finds them by search later. */
export async function forget(
  ctx: Context,
  { account_id, email_address }: Pick<BilledDraft, 'account_id' | 'email_address'>,
): Promise<void> {
  const stripe = await connect(ctx);
  await ask(async () => {
    for await (const { id, metadata } of stripe.customers.list({ email: email_address, limit: 100 }))
      if (metadata.account_id === account_id) await stripe.customers.del(id);
  });
}

/** Stripe keeps what accounting needs: invoices, without the customer's name and address. */
export async function erase(ctx: Context, customer_id: string): Promise<void> {
  const stripe = await connect(ctx);
  await unlessMissing(() => stripe.customers.del(customer_id));
}

export async function accountOf(ctx: Context, customer_id: string): Promise<string | undefined> {
  const stripe = await connect(ctx);
  const customer = await unlessMissing(() => stripe.customers.retrieve(customer_id));
  return customer && !customer.deleted ? customer.metadata.account_id : undefined;
}
