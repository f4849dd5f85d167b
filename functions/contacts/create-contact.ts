import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { contactDraft, contactSchema, presentContact } from '#shared/domain/crm/contacts/contact.ts';
import { newContact } from '#shared/domain/crm/contacts/create.ts';
import { insertContact } from '#shared/domain/crm/contacts/store.ts';

export const createContact = route('createContact', {
  method: 'POST',
  path: '/contacts',
  access: 'write',
  summary: 'Create a contact',
  description:
    'At least one of name, first_name, last_name and email_addresses is needed. An email address may be on one ' +
    'visible contact only. Organizations cannot be named yet.',
  body: { contact: contactDraft },
  examples: {
    body: {
      contact: {
        first_name: 'Ada',
        last_name: 'Byron',
        email_addresses: [{ email_address: 'ada@acme.example', label: 'work', primary: true }],
        custom_fields: { customer_number: 'A-1024' },
      },
    },
  },
  returns: { 201: { contact: contactSchema } },
  errors: ['record_not_found', 'email_address_taken', 'external_id_taken'],
  uses: ['table:write', 'queue:index-records'],
});

export const handler = handle(
  createContact,
  async ({ ctx, body }) => {
    const contact = newContact(ctx.caller, body.contact, ctx.now);
    await insertContact(ctx, contact);
    return { contact: presentContact(contact, ctx.caller.user, { tags: [], comments: [] }) };
  },
  recordLists,
);
