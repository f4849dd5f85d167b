import { eventFamily } from './calendar-events.ts';
import { contactFamily } from './contacts.ts';
import { dealFamily } from './deals.ts';
import type { Family, FindingFamily } from './family.ts';
import type { ImportableType } from './fields.ts';
import { organizationFamily } from './organizations.ts';
import type { SentRow } from './row.ts';
import { taskFamily } from './tasks.ts';

export type AnyFamily =
  | Family<unknown, { external_id?: string | null | undefined }>
  | FindingFamily<unknown, unknown, SentRow>;

/** How rows become records, by type. */
export const importFamilies = {
  // A line for each family.
  calendar_events: eventFamily,
  contacts: contactFamily,
  deals: dealFamily,
  organizations: organizationFamily,
  tasks: taskFamily,
} as unknown as Record<ImportableType, AnyFamily>;
