import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { storedBilling } from '#shared/composition/stored-billing.ts';
import { accountChanges, accountSchema, presentAccount } from '#shared/domain/identity/accounts/account.ts';
import { requireAccountAdmin } from '#shared/domain/identity/accounts/policy.ts';
import { updateAccount as update } from '#shared/domain/identity/accounts/update.ts';
import { readBilling } from '#shared/domain/identity/billing/port.ts';

export const updateAccount = route('updateAccount', {
  method: 'PATCH',
  path: '/accounts/{id}',
  access: 'session',
  summary: 'Update the account',
  description:
    'Only by account admins. Fields that are not sent stay. `api_access` and `features` count from the next request ' +
    'of every key on. A changed `api_access` is mailed to the owners.',
  body: { account: accountChanges },
  examples: { body: { account: { api_access: 'read_only', default_currency: 'EUR' } } },
  returns: { 200: { account: accountSchema } },
  errors: ['permission_denied', 'billing_unavailable'],
  uses: ['table:write', 'queue:send-mail'],
  versioned: true,
});

export const handler = handle(
  updateAccount,
  async ({ ctx, params, body }) => {
    requireAccountAdmin(ctx.caller, params.id);
    // Before the change: a response that fails has changed nothing.
    const paid = await readBilling(ctx, ctx.caller.account);
    return { account: presentAccount(await update(ctx, body.account), paid) };
  },
  storedBilling,
);
