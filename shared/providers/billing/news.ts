import * as z from 'zod';
import type { Context } from '#shared/context.ts';
import type { BillingNews } from '#shared/domain/identity/billing/payments.ts';
import { ApiError } from '#shared/errors.ts';
import { isUuid } from '#shared/ids.ts';
import { library } from './client.ts';

/** Events of Stripe: https://docs.stripe.com/webhooks. They come twice, late and in any order. */

/** Seconds from writing to receiving an event. */
const TOLERANCE = 300;

/** The kinds of objects whose events can change what an account pays or with what. */
const heard = z.enum(['customer', 'subscription', 'payment_method', 'invoice']);

const object = z.object({
  object: heard,
  id: z.string(),
  customer: z.string().nullish(),
  metadata: z
    .object({ account_id: z.string().refine(isUuid).optional() })
    .nullish()
    .catch(undefined),
});

/** Nobody learns what was wrong. */
async function verified({ config, now }: Context, body: string, signature: string): Promise<unknown> {
  const { webhooks } = await library();
  try {
    const secret = config.billing.webhook_secret ?? '';
    const event = webhooks.constructEvent(body, signature, secret, TOLERANCE, undefined, now.getTime());
    return event.data.object;
  } catch {
    throw new ApiError('invalid_request');
  }
}

/** The account stands in the metadata that the service wrote, or in those of the customer. */
export async function hear(ctx: Context, body: string, signature: string): Promise<BillingNews | undefined> {
  const { data } = object.safeParse(await verified(ctx, body, signature));
  if (!data) return undefined;
  const account_id = data.metadata?.account_id;
  if (account_id !== undefined) return { account_id };
  const customer_id = data.object === 'customer' ? data.id : data.customer;
  return typeof customer_id === 'string' ? { customer_id } : undefined;
}
