export * as countContacts from './count-contacts.ts';
export * as createContact from './create-contact.ts';
export * as deleteContact from './delete-contact.ts';
export * as listContacts from './list-contacts.ts';
export * as pinContact from './pin-contact.ts';
export * as retrieveContact from './retrieve-contact.ts';
export * as unpinContact from './unpin-contact.ts';
export * as updateContact from './update-contact.ts';
