import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { contactChanges, contactSchema } from '#shared/domain/crm/contacts/contact.ts';
import { presentOne } from '#shared/domain/crm/contacts/present.ts';
import { updateContact as update } from '#shared/domain/crm/contacts/update.ts';

export const updateContact = route('updateContact', {
  method: 'PATCH',
  path: '/contacts/{id}',
  access: 'write',
  summary: 'Update a contact',
  description:
    'Fields that are not sent stay, `null` clears, and an array replaces the whole array. Keys of `custom_fields` that are not sent stay.',
  body: { contact: contactChanges },
  examples: { body: { contact: { headline: 'Head of analysis', nickname: null } } },
  returns: { 200: { contact: contactSchema } },
  errors: ['permission_denied', 'email_address_taken', 'external_id_taken', 'custom_field_taken'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  updateContact,
  async ({ ctx, params, body }) => {
    const contact = await update(ctx, params.id, body.contact);
    return presentOne(ctx, contact);
  },
  recordLists,
);
