import { listAllAgain } from './list-again.ts';
import type { Migration } from './migrate.ts';

/**
 * Deals were not counted by the days of their moments, nor by their words and tags; contacts were not listed by the months of
 * theirs (docs/decisions/0035, 0039).
 */

export const listDealsAndContacts: Migration = {
  version: 13,
  summary: 'count deals by their moments, words and tags, and list contacts by months',
  // Older code would change records without this.
  readable_from: 13,
  step: listAllAgain('deals', 'contacts'),
};
