import * as z from 'zod';
import type { Visitor } from '#shared/context.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireAdmin } from '#shared/domain/identity/users/policy.ts';
import { ApiError } from '#shared/errors.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { type CardSetup, paymentsOf, type TakesPayments } from './payments.ts';
import { refreshBilling } from './refresh.ts';

export const cardSetupSchema = z
  .strictObject({
    client_secret: z.string().meta({ example: 'seti_1PxQ8s_secret_QpB2m' }),
    publishable_key: z.string().meta({ example: 'pk_live_51Nv' }),
  })
  .meta({ id: 'CardSetup' });

/** It stands in an address of the provider. */
const PAYMENT_METHOD = /^pm_\w{1,250}$/;

export const creditCardChanges = z
  .object({
    payment_method_id: z
      .string()
      .regex(PAYMENT_METHOD, 'is no payment method of the provider')
      .meta({ example: 'pm_1PxQ9dLkdIwHu7ix' }),
  })
  .meta({ id: 'CreditCardChanges' });

type Ctx = CallerContext<TakesPayments> & Visitor;

/** 403 for everyone except admins. 502 `setup_intent_creation_failed`, also where nobody pays. */
export async function setUpCard(ctx: Ctx): Promise<CardSetup> {
  requireAdmin(ctx.caller);
  const { billing_reference } = ctx.caller.account;
  const payments = paymentsOf(ctx);
  if (!payments || !billing_reference) throw new ApiError('setup_intent_creation_failed');
  return payments.setUpCard(ctx, billing_reference.customer_id);
}

/** 403 for everyone except admins. 502 as in `useCard` of the port, and `customer_update_failed` where nobody pays. */
export async function useCard(ctx: Ctx, payment_method_id: string): Promise<void> {
  requireAdmin(ctx.caller);
  const { id: account_id, billing_reference } = ctx.caller.account;
  const payments = paymentsOf(ctx);
  if (!payments || !billing_reference) throw new ApiError('customer_update_failed');
  const { customer_id, billing } = billing_reference;
  await payments.useCard(ctx, { account_id, customer_id, seats: billing.seats ?? 1 }, payment_method_id);
  try {
    await refreshBilling(ctx, payments, account_id);
  } catch (error) {
    // The card is in use. The provider's news of it will show it.
    getLogger().warn('billing left to its news', { account_id, error: describeError(error) });
  }
}
