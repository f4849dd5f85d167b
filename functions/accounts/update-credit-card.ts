import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { payments } from '#shared/composition/payments.ts';
import { creditCardChanges, useCard } from '#shared/domain/identity/billing/cards.ts';

export const updateCreditCard = route('updateCreditCard', {
  method: 'PATCH',
  path: '/accounts/credit_cards',
  access: 'session',
  summary: 'Change the credit card',
  description:
    'Only by account admins. From now on this card is charged, at once for what is overdue. A subscription that has ended ' +
    'begins again. May be repeated. Where nobody pays it is 502.',
  body: { credit_card: creditCardChanges },
  returns: { 200: okResponse },
  errors: [
    'customer_update_failed',
    'payment_method_attach_failed',
    'permission_denied',
    'recovery_request_failed',
    'subscription_update_failed',
  ],
  uses: ['table:write', 'billing:call'],
});

export const handler = handle(
  updateCreditCard,
  async ({ ctx, body }) => {
    await useCard(ctx, body.credit_card.payment_method_id);
    return ok;
  },
  payments,
);
