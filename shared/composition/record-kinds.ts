import type { RecordKind, RecordKinds } from '#shared/domain/collaboration/records/kind.ts';
import { namedKind } from '#shared/domain/collaboration/records/named-kind.ts';
import { mailboxKind } from '#shared/domain/mail/mailboxes/kind.ts';
import { threadKind } from '#shared/domain/mail/threads/kind.ts';
import { fileKind } from '#shared/domain/work/files/kind.ts';
import { taskKind } from '#shared/domain/work/tasks/kind.ts';

/** The records that tasks and files may be linked to, with events as the bundle needs them. */
export const linkableWith = (calendar_events: RecordKind) =>
  ({
    // A line for each family.
    calendar_events,
    contacts: namedKind('contacts'),
    deals: namedKind('deals'),
    milestones: namedKind('milestones'),
    organizations: namedKind('organizations'),
    spaces: namedKind('spaces'),
    threads: threadKind,
  }) satisfies RecordKinds;

/** How records are loaded, who sees them and what they are called. */
export const recordsWith = <Linkable extends RecordKinds>(linkable: Linkable) => ({
  ...linkable,
  // A line for each family.
  files: fileKind(linkable),
  mailboxes: mailboxKind,
  tasks: taskKind(linkable),
});
