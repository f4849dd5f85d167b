import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { storedBilling } from '#shared/composition/stored-billing.ts';
import { accountSchema, presentAccount } from '#shared/domain/identity/accounts/account.ts';
import { requireOwnAccount } from '#shared/domain/identity/accounts/policy.ts';
import { readBilling } from '#shared/domain/identity/billing/port.ts';

export const retrieveAccount = route('retrieveAccount', {
  method: 'GET',
  path: '/accounts/{id}',
  access: 'read',
  summary: 'Retrieve the account',
  description: "Of the key's user; any other id is 404.",
  returns: { 200: { account: accountSchema } },
  errors: ['billing_unavailable'],
  uses: ['table:read'],
});

export const handler = handle(
  retrieveAccount,
  async ({ ctx, params }) => {
    requireOwnAccount(ctx.caller, params.id);
    const { account } = ctx.caller;
    return { account: presentAccount(account, await readBilling(ctx, account)) };
  },
  storedBilling,
);
