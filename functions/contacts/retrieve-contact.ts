import { handle } from '../../shared/api/handle.ts';
import { route } from '../../shared/api/route.ts';
import { contactRecord, presentContact } from '../../shared/domain/contacts/contact.ts';
import { loadContact } from '../../shared/domain/contacts/store.ts';
import { recordNotFound } from '../../shared/errors.ts';

export const retrieveContact = route('retrieveContact', {
  method: 'GET',
  path: '/contacts/{id}',
  access: 'read',
  summary: 'Retrieve a contact',
  returns: { 200: { contact: contactRecord } },
  uses: ['table:read'],
});

export const handler = handle(retrieveContact, async ({ caller, params, table }) => {
  const contact = await loadContact(table, caller, params.id);
  if (!contact) throw recordNotFound();
  return { contact: presentContact(contact, { tags: [], comments: [] }) };
});
