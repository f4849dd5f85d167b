import type { KnowsContacts } from '#shared/domain/collaboration/records/contact-book.ts';
import { contactBook } from '#shared/domain/crm/contacts/contact-book.ts';

/** Whose email addresses are. */
export const contacts: KnowsContacts = { contacts: contactBook };
