import { eventKind } from '#shared/domain/calendar/calendar-events/kind.ts';
import type { RecordKinds, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { namedKind } from '#shared/domain/collaboration/records/named-kind.ts';
import { threadKind } from '#shared/domain/mail/threads/kind.ts';
import { fileKind } from '#shared/domain/work/files/kind.ts';
import { taskKind } from '#shared/domain/work/tasks/kind.ts';

/** The records that tasks and files may be linked to. */
export const linkable = {
  // A line for each family.
  calendar_events: eventKind,
  contacts: namedKind('contacts'),
  deals: namedKind('deals'),
  milestones: namedKind('milestones'),
  organizations: namedKind('organizations'),
  spaces: namedKind('spaces'),
  threads: threadKind,
} satisfies RecordKinds;

/** How records are loaded, who sees them and what they are called. */
export const visibility = {
  records: {
    ...linkable,
    // A line for each family.
    files: fileKind(linkable),
    tasks: taskKind(linkable),
  },
} satisfies SeesRecords;
