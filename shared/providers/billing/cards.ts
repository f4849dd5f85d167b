import type Stripe from 'stripe';
import type { Context } from '#shared/context.ts';
import type { CardSetup } from '#shared/domain/identity/billing/payments.ts';
import { ApiError } from '#shared/errors.ts';
import { askOr, connect } from './client.ts';
import { currentOf, hasEnded, subscriptionsOf } from './subscription.ts';

/** Cards: browsers give their numbers to Stripe, the service knows payment methods only. */

interface Payer {
  account_id: string;
  customer_id: string;
  seats: number;
}

export function setUpCard(ctx: Context, customer_id: string): Promise<CardSetup> {
  return askOr(
    (why) => new ApiError('setup_intent_creation_failed', why),
    async () => {
      const { publishable_key } = ctx.config.billing;
      const stripe = await connect(ctx);
      const { client_secret } = await stripe.setupIntents.create({
        customer: customer_id,
        allowed_payment_method_types: ['card'],
        usage: 'off_session',
      });
      if (client_secret === null || publishable_key === undefined) throw new Error('Something is missing');
      return { client_secret, publishable_key };
    },
  );
}

/** One of another customer is never touched, whoever knows its id. */
async function attach(stripe: Stripe, customer: string, id: string): Promise<void> {
  const method = await stripe.paymentMethods.retrieve(id);
  const owner = typeof method.customer === 'string' ? method.customer : method.customer?.id;
  if (owner === customer) return;
  if (owner !== undefined) throw new Error('The payment method is of another customer');
  await stripe.paymentMethods.attach(id, { customer });
}

/** Who has ended begins anew, without a trial. Sent twice at once it is one subscription, not two. */
async function subscribeAgain(
  stripe: Stripe,
  { now, config }: Context,
  { account_id, customer_id, seats }: Payer,
  method: string,
): Promise<void> {
  const minute = now.toISOString().slice(0, 16);
  await stripe.subscriptions.create(
    {
      customer: customer_id,
      items: [{ price: config.billing.price as string, quantity: seats }],
      default_payment_method: method,
      // Without a first payment there is no subscription.
      payment_behavior: 'error_if_incomplete',
      metadata: { account_id },
    },
    { idempotencyKey: `subscription of ${account_id} with ${method} at ${minute}` },
  );
}

/** Stripe, or the same request a moment ago, may have paid it meanwhile. */
async function pay(stripe: Stripe, id: string, payment_method: string): Promise<void> {
  try {
    await stripe.invoices.pay(id, { payment_method });
  } catch (error) {
    if ((await stripe.invoices.retrieve(id)).status !== 'paid') throw error;
  }
}

/** Pays what is overdue. */
async function recover(stripe: Stripe, customer: string, payment_method: string): Promise<void> {
  const { data } = await stripe.invoices.list({ customer, status: 'open', limit: 20 });
  for (const { id, collection_method } of data)
    if (collection_method === 'charge_automatically') await pay(stripe, id, payment_method);
}

/** The customer's card is the one that is charged: a subscription keeps none of its own. */
async function charge(stripe: Stripe, ctx: Context, payer: Payer, method: string): Promise<void> {
  const { customer_id } = payer;
  const found = await askOr(
    (why) => new ApiError('subscription_update_failed', why),
    async () => {
      const current = currentOf(await subscriptionsOf(stripe, customer_id));
      if (!current || hasEnded(current)) await subscribeAgain(stripe, ctx, payer, method);
      else if (current.default_payment_method !== null)
        await stripe.subscriptions.update(current.id, { default_payment_method: '' });
      return current;
    },
  );
  if (found && !hasEnded(found) && found.status !== 'active' && found.status !== 'trialing')
    await askOr(
      (why) => new ApiError('recovery_request_failed', why),
      () => recover(stripe, customer_id, method),
    );
}

export async function useCard(ctx: Context, payer: Payer, method: string): Promise<void> {
  const { customer_id } = payer;
  const stripe = await connect(ctx);
  await askOr(
    (why) => new ApiError('payment_method_attach_failed', why),
    () => attach(stripe, customer_id, method),
  );
  const invoice_settings = { default_payment_method: method };
  await askOr(
    (why) => new ApiError('customer_update_failed', why),
    () => stripe.customers.update(customer_id, { invoice_settings }),
  );
  await charge(stripe, ctx, payer, method);
}
