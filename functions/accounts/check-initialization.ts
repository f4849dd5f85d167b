import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { countMadeContacts } from '#shared/domain/crm/contacts/from-mail/count.ts';
import { requireOwnAccount } from '#shared/domain/identity/accounts/policy.ts';
import { initializationSchema } from '#shared/domain/mail/first-steps/initialization.ts';
import { readFirstSteps } from '#shared/domain/mail/first-steps/read.ts';

export const checkInitialization = route('checkInitialization', {
  method: 'GET',
  path: '/accounts/{id}/initialize',
  access: 'session',
  summary: 'Follow the first import of mail',
  description:
    'How far the mail of the own mailboxes has come. Without any mail, `mailbox_connected` is false and the status `pending`.',
  returns: { 200: { initialization: initializationSchema } },
  errors: ['record_not_found', 'mailbox_not_connected', 'outbound_disabled'],
  uses: ['table:read'],
});

export const handler = handle(checkInitialization, async ({ ctx, params }) => {
  requireOwnAccount(ctx.caller, params.id);
  const [steps, contacts_created] = await Promise.all([readFirstSteps(ctx), countMadeContacts(ctx)]);
  return { initialization: { ...steps, contacts_created } };
});
