import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { requireOwnAccount } from '#shared/domain/identity/accounts/policy.ts';
import { completeFirstSteps } from '#shared/domain/mail/first-steps/complete.ts';

export const completeInitialization = route('completeInitialization', {
  method: 'PATCH',
  path: '/accounts/{id}/initialize',
  access: 'session',
  summary: 'Complete the first import of mail',
  description:
    'Ends the first steps of the user: the status becomes `complete` when the imports that run are done, and stays so ' +
    'whatever is imported later. 422 before any mail has come, and while none of the user’s mail servers sends. Sending it ' +
    'again changes nothing.',
  returns: { 200: okResponse },
  errors: ['record_not_found', 'mailbox_not_connected', 'outbound_disabled'],
  uses: ['table:write'],
});

export const handler = handle(completeInitialization, async ({ ctx, params }) => {
  requireOwnAccount(ctx.caller, params.id);
  await completeFirstSteps(ctx);
  return ok;
});
