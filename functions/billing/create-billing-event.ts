import { headerValues } from '#shared/api/call.ts';
import { handle } from '#shared/api/handle.ts';
import { bodyText } from '#shared/api/negotiate.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { payments } from '#shared/composition/payments.ts';
import { billingEvent, hearNews } from '#shared/domain/identity/billing/news.ts';

export const createBillingEvent = route('createBillingEvent', {
  method: 'POST',
  path: '/billing/events',
  access: 'public',
  summary: 'Receive an event of the payment provider',
  description:
    'For the provider alone: an event without its signature in the header `Stripe-Signature`, or signed more than five ' +
    'minutes ago, is 400. An event says only which account to read anew, so it may come twice, late and in any order.',
  body: billingEvent,
  returns: { 200: okResponse },
  uses: ['table:write', 'billing:hear', 'queue:update-billing'],
});

export const handler = handle(
  createBillingEvent,
  async ({ ctx, body, event }) => {
    const [signature = ''] = headerValues(event, 'stripe-signature');
    // The signature is of the bytes, not of what they mean.
    await hearNews(ctx, body.id, { body: bodyText(event) ?? '', signature });
    return ok;
  },
  payments,
);
