import type Stripe from 'stripe';
import type { Billing } from '#shared/domain/identity/billing/billing.ts';
import type { Subscribed } from '#shared/domain/identity/billing/payments.ts';
import { unlessMissing } from './client.ts';

/** What a customer of Stripe has subscribed to. */

/** https://docs.stripe.com/api/subscriptions/object#subscription_object-status */
const ENDED: ReadonlySet<string> = new Set(['canceled', 'incomplete_expired']);

/** A customer has one that goes on, and those that ended before. */
const MOST = 20;

export const hasEnded = ({ status }: Pick<Stripe.Subscription, 'status'>) => ENDED.has(status);

/** Newest first; none for a customer who was deleted. Cards come with them. */
export async function subscriptionsOf(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  const expand = ['data.default_payment_method', 'data.customer.invoice_settings.default_payment_method'];
  const wanted = { customer, status: 'all', limit: MOST, expand } as const;
  return (await unlessMissing(() => stripe.subscriptions.list(wanted)))?.data ?? [];
}

/** The one that counts: the newest that goes on, or else the newest. */
export const currentOf = (all: Stripe.Subscription[]): Stripe.Subscription | undefined =>
  all.find((each) => !hasEnded(each)) ?? all[0];

const momentOf = (seconds: number | null | undefined) =>
  typeof seconds === 'number' ? new Date(seconds * 1_000).toISOString() : null;

/** The card that is charged: the subscription's own, or else the customer's. */
function cardOf({ default_payment_method, customer }: Stripe.Subscription): Billing['card'] {
  const general =
    typeof customer === 'object' && !customer.deleted
      ? customer.invoice_settings.default_payment_method
      : null;
  const method = default_payment_method ?? general;
  const card = typeof method === 'object' ? method?.card : undefined;
  if (!card) return null;
  const { brand, last4, exp_month, exp_year } = card;
  return { brand, last4, exp_month, exp_year };
}

function planOf(price: Stripe.Price | undefined): string | null {
  return price ? (price.lookup_key ?? price.nickname ?? price.id) : null;
}

/** What a seat costs, among what else an operator may have added. */
export function seatsIn({ items }: Stripe.Subscription, price: string | undefined) {
  return items.data.find((item) => item.price.id === price) ?? items.data[0];
}

/** As the account shows it. */
export function shown(subscription: Stripe.Subscription | undefined, price: string | undefined): Subscribed {
  const item = subscription && seatsIn(subscription, price);
  return {
    subscription_id: subscription?.id ?? null,
    ended: !subscription || hasEnded(subscription),
    counts: subscription !== undefined && subscription.status !== 'incomplete',
    billing: {
      provider: 'stripe',
      status: subscription?.status ?? null,
      plan: planOf(item?.price),
      seats: item?.quantity ?? null,
      trial_ends_at: momentOf(subscription?.trial_end),
      current_period_ends_at: momentOf(item?.current_period_end),
      card: subscription ? cardOf(subscription) : null,
    },
  };
}
