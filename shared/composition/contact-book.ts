import type { KnowsContacts } from '#shared/domain/collaboration/records/contact-book.ts';
import { contactBook } from '#shared/domain/crm/contacts/contact-book.ts';

/** Finds contacts by email address. */
export const contacts: KnowsContacts = { contacts: contactBook };
