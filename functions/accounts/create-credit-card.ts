import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { payments } from '#shared/composition/payments.ts';
import { cardSetupSchema, setUpCard } from '#shared/domain/identity/billing/cards.ts';

export const createCreditCard = route('createCreditCard', {
  method: 'POST',
  path: '/accounts/credit_cards',
  access: 'session',
  summary: 'Set up a credit card',
  description:
    'Only by account admins. With the response a browser hands the card to the payment provider, which gives it a ' +
    'payment method for `PATCH /accounts/credit_cards`: the service never sees a number. Where nobody pays it is 502.',
  returns: { 200: { setup: cardSetupSchema } },
  errors: ['permission_denied', 'setup_intent_creation_failed'],
  uses: ['table:read', 'billing:call'],
});

export const handler = handle(
  createCreditCard,
  async ({ ctx }) => ({ setup: await setUpCard(ctx) }),
  payments,
);
