import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { contactKind } from '#shared/domain/crm/contacts/kind.ts';
import { threadKind } from '#shared/domain/mail/threads/kind.ts';

/** How records are loaded, who sees them and what they are called. */
export const visibility = {
  records: {
    // A line for each family.
    contacts: contactKind,
    threads: threadKind,
  },
} satisfies SeesRecords;
