import { requiredText, uuid } from '#shared/values.ts';
import { findDuplicates } from './find-duplicates.ts';
import { readContact } from './read-contact.ts';
import type { RecordTools } from './record-tools.ts';
import { searchContacts } from './search-contacts.ts';
import { tool } from './tool.ts';

export const contactTools: RecordTools = {
  card_type: 'Contact',
  reading: 'a contact with its latest threads',
  read: readContact,
  own: (context) => ({
    search_contacts: tool(
      'search_contacts',
      'Find contacts by an email address or by the beginnings of words of their names.',
      { query: requiredText(500) },
      ({ query }) => searchContacts(context, query),
    ),
    find_duplicates: tool(
      'find_duplicates',
      'Find contacts that may be the same person as a contact, the likeliest first.',
      { contact_id: uuid },
      ({ contact_id }) => findDuplicates(context, contact_id),
    ),
  }),
};
