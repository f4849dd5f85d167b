import { eventSharing } from '#shared/domain/calendar/calendar-events/sharing.ts';
import { registered, shareableTypes } from '#shared/domain/collaboration/records/types.ts';
import type { SharesRecords } from '#shared/domain/collaboration/shares/kind.ts';
import { recordSharing } from '#shared/domain/collaboration/shares/record-sharing.ts';
import { mailboxSharing } from '#shared/domain/mail/mailboxes/sharing.ts';
import { threadSharing } from '#shared/domain/mail/threads/sharing.ts';
import { seesLinkAmong as seesFileLinkAmong } from '#shared/domain/work/files/policy.ts';
import { seesLinkAmong } from '#shared/domain/work/tasks/policy.ts';
import { linkable } from './visibility.ts';

/** How records are shared. */
export const sharing = {
  sharing: {
    // A line for each family.
    calendar_events: eventSharing,
    contacts: recordSharing('contacts'),
    deals: recordSharing('deals'),
    files: recordSharing('files', seesFileLinkAmong(linkable)),
    mailboxes: mailboxSharing,
    milestones: recordSharing('milestones'),
    organizations: recordSharing('organizations'),
    spaces: recordSharing('spaces'),
    tasks: recordSharing('tasks', seesLinkAmong(linkable)),
    threads: threadSharing,
  },
} satisfies SharesRecords;

/** The record types that can be shared. */
export const shareable = registered(shareableTypes, sharing.sharing);
