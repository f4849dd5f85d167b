import type { TakesPayments } from '#shared/domain/identity/billing/payments.ts';
import { stripePayments } from '#shared/providers/billing/stripe.ts';

/** The provider of the deployment. */
export const payments: TakesPayments = {
  payments: ({ provider }) => (provider === 'stripe' ? stripePayments : undefined),
};
