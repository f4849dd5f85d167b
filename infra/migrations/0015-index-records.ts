import { listAllAgain } from './list-again.ts';
import type { Migration } from './migrate.ts';

/** Records were found by several words through the lists of each (docs/decisions/0081). */

export const indexRecords: Migration = {
  version: 15,
  summary: 'find records by several words',
  // Older code would change records without this.
  readable_from: 15,
  step: listAllAgain('contacts', 'organizations', 'deals', 'tasks', 'files', 'calendar_events'),
};
