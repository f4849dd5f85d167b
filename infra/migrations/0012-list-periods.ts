import { listAllAgain } from './list-again.ts';
import type { Migration } from './migrate.ts';

/** Tasks and files were not listed by the years, months and days in which they were created and written (docs/decisions/0035). */

export const listPeriods: Migration = {
  version: 12,
  summary: 'list tasks and files by when they were created and written',
  // Older code would change records without listing them so.
  readable_from: 12,
  step: listAllAgain('tasks', 'files'),
};
