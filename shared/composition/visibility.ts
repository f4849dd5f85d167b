import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { namedKind } from '#shared/domain/collaboration/records/named-kind.ts';
import { threadKind } from '#shared/domain/mail/threads/kind.ts';

/** How records are loaded, who sees them and what they are called. */
export const visibility = {
  records: {
    // A line for each family.
    contacts: namedKind('contacts'),
    organizations: namedKind('organizations'),
    threads: threadKind,
  },
} satisfies SeesRecords;
