export * as createContact from './create-contact.ts';
export * as listContacts from './list-contacts.ts';
export * as retrieveContact from './retrieve-contact.ts';
