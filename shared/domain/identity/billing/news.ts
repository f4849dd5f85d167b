import * as z from 'zod';
import type { Context } from '#shared/context.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import { newsJob } from './job.ts';
import { paymentsOf, type TakesPayments } from './payments.ts';

/** What the provider sends; only what names it is looked at before its signature is checked. */
export const billingEvent = {
  id: z.string().min(1).max(255).meta({ example: 'evt_1PxQ8sLkdIwHu7ix' }),
  type: z.string().meta({ example: 'customer.subscription.updated' }),
  data: z
    .looseObject({})
    .meta({ id: 'BillingEventData', example: { object: { id: 'sub_1PxQ8sLkdIwHu7ix' } } }),
};

/** Lets the account be read anew. 400 for what the provider did not write: nobody learns why. */
export async function hearNews(
  ctx: Context<TakesPayments>,
  event_id: string,
  { body, signature }: { body: string; signature: string },
): Promise<void> {
  const payments = paymentsOf(ctx);
  if (!payments) throw new ApiError('invalid_request');
  const news = await payments.hear(ctx, body, signature);
  if (news) await commit(ctx, { writes: [], jobs: [newsJob(news, event_id, ctx.now)] });
}
