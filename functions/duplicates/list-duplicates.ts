import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { whole, wholeCollection } from '#shared/api/shapes.ts';
import { requireContact } from '#shared/domain/crm/contacts/policy.ts';
import { presentContacts } from '#shared/domain/crm/contacts/present.ts';
import { readAround } from '#shared/domain/crm/details/around.ts';
import { duplicateSchema, presentDuplicate } from '#shared/domain/crm/duplicates/duplicate.ts';
import { findDuplicates } from '#shared/domain/crm/duplicates/store.ts';

export const listDuplicates = route('listDuplicates', {
  method: 'GET',
  path: '/contacts/{contact_id}/duplicates',
  access: 'read',
  summary: 'List what may be the same person',
  description:
    'Contacts that the key’s user sees and that have an email address, a phone number, a link or the name in common ' +
    'with this one; the likeliest first, 50 at most.',
  returns: { 200: { collection: wholeCollection(duplicateSchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listDuplicates, async ({ ctx, params }) => {
  const found = await findDuplicates(ctx, await requireContact(ctx, params.contact_id));
  const others = found.map(({ contact }) => contact);
  const contacts = await presentContacts(ctx, others, readAround(ctx));
  return { collection: whole(contacts.map((contact, i) => presentDuplicate(found[i]!, contact))) };
});
