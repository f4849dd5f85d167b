import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { Updated, upserting } from '#shared/api/upsert.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { contactDraft, contactSchema, presentContact } from '#shared/domain/crm/contacts/contact.ts';
import { createContact as create } from '#shared/domain/crm/contacts/create.ts';
import { employersOf } from '#shared/domain/crm/contacts/employers.ts';
import { presentOne } from '#shared/domain/crm/contacts/present.ts';
import { upsertContact } from '#shared/domain/crm/contacts/upsert.ts';

export const createContact = route('createContact', {
  method: 'POST',
  path: '/contacts',
  access: 'write',
  summary: 'Create a contact',
  description:
    'At least one of name, first_name, last_name and email_addresses is needed. An email address may be on one ' +
    'visible contact only. An employment names its organization by id or name; a new name creates the organization.',
  query: upserting,
  body: { contact: contactDraft },
  examples: {
    body: {
      contact: {
        first_name: 'Ada',
        last_name: 'Byron',
        email_addresses: [{ email_address: 'ada@acme.example', label: 'work', primary: true }],
        employments: [{ title: 'Analyst', organization: { name: 'Acme' } }],
        custom_fields: { customer_number: 'A-1024' },
      },
    },
  },
  returns: { 201: { contact: contactSchema } },
  errors: [
    'record_not_found',
    'permission_denied',
    'email_address_taken',
    'external_id_taken',
    'custom_field_taken',
  ],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  createContact,
  async ({ ctx, query, body }) => {
    const { before, after } =
      query.upsert === undefined
        ? { before: undefined, after: await create(ctx, body.contact) }
        : await upsertContact(ctx, body.contact);
    if (before) return new Updated(await presentOne(ctx, after));
    const employers = await employersOf(ctx, [after]);
    const around = { tags: [], comments: [], tasks: [], space_ids: [], employers };
    return { contact: presentContact(after, ctx.caller.user, around) };
  },
  recordLists,
);
