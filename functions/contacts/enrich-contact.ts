import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { askForEnrichment } from '#shared/domain/assistant/agents/enrichment/ask.ts';
import { contactSchema } from '#shared/domain/crm/contacts/contact.ts';
import { presentOne } from '#shared/domain/crm/contacts/present.ts';

export const enrichContact = route('enrichContact', {
  method: 'POST',
  path: '/contacts/{contact_id}/enrichment',
  access: 'write',
  summary: 'Complete a contact from mail',
  description:
    'The agent `auto_enrich` reads the newest mail of the contact that the key’s user sees, and proposes what is empty or different in the contact. The `enrichment` of the contact is `pending` until it has finished, and then names the proposals.',
  returns: { 202: { contact: contactSchema } },
  errors: ['record_not_found', 'permission_denied', 'assistant_unavailable', 'rate_limited'],
  uses: ['table:write', 'queue:reply-as-assistant'],
});

export const handler = handle(enrichContact, async ({ ctx, params }) => {
  const { contact, enrichment } = await askForEnrichment(ctx, params.contact_id);
  return presentOne(ctx, contact, { enrichment });
});
