import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { storedBilling } from '#shared/composition/stored-billing.ts';
import { closeAccount as close } from '#shared/domain/identity/accounts/close.ts';
import { requireAccountOwner } from '#shared/domain/identity/accounts/policy.ts';

export const closeAccount = route('closeAccount', {
  method: 'DELETE',
  path: '/accounts/{id}',
  access: 'session',
  summary: 'Close the account',
  description:
    'Only by owners. No key and no session of the account is served from the next request on, and what goes on in the ' +
    'background ends. All data is erased after 30 days; until then the operator can open the account again.',
  returns: { 204: null },
  errors: ['permission_denied', 'billing_unavailable', 'could_not_mark_as_closed'],
  uses: ['table:write', 'queue:update-billing'],
  versioned: true,
});

export const handler = handle(
  closeAccount,
  async ({ ctx, params }) => {
    requireAccountOwner(ctx.caller, params.id);
    await close(ctx);
  },
  storedBilling,
);
