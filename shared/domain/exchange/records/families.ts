import { contactFamily } from './contacts.ts';
import { dealFamily } from './deals.ts';
import type { Family } from './family.ts';
import type { ImportableType } from './fields.ts';
import { organizationFamily } from './organizations.ts';
import { taskFamily } from './tasks.ts';

export type AnyFamily = Family<unknown, { external_id?: string | null | undefined }>;

/** How rows become records, by type. */
export const importFamilies = {
  // A line for each family.
  contacts: contactFamily,
  deals: dealFamily,
  organizations: organizationFamily,
  tasks: taskFamily,
} as unknown as Record<ImportableType, AnyFamily>;
