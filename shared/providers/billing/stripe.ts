import type { Payments } from '#shared/domain/identity/billing/payments.ts';
import { accountOf, end, erase, forget, open } from './accounts.ts';
import { setUpCard, useCard } from './cards.ts';
import { ask, connect } from './client.ts';
import { hear } from './news.ts';
import { currentOf, seatsIn, shown, subscriptionsOf } from './subscription.ts';

/** Stripe, over the network (docs/decisions/0068-billing.md). */
export const stripePayments: Payments = {
  open,
  end,
  forget,
  erase,
  accountOf,
  setUpCard,
  useCard,
  hear,
  read: async (ctx, customer_id) => {
    const stripe = await connect(ctx);
    return shown(currentOf(await subscriptionsOf(stripe, customer_id)), ctx.config.billing.price);
  },
  setSeats: async (ctx, subscription_id, quantity) => {
    const stripe = await connect(ctx);
    await ask(async () => {
      const subscription = await stripe.subscriptions.retrieve(subscription_id);
      const item = seatsIn(subscription, ctx.config.billing.price);
      if (item) await stripe.subscriptions.update(subscription_id, { items: [{ id: item.id, quantity }] });
    });
  },
};
