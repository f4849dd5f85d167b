import { listAllAgain } from './list-again.ts';
import type { Migration } from './migrate.ts';

/** Contacts and organizations were counted by their postings (docs/decisions/0039). */

export const countContacts: Migration = {
  version: 14,
  summary: 'count contacts and organizations',
  // Older code would change records without this, and knows no shares of a number.
  readable_from: 14,
  step: listAllAgain('contacts', 'organizations'),
};
