import { eventInteractions } from '#shared/domain/calendar/calendar-events/hidden.ts';
import type { KnowsHidden } from '#shared/domain/collaboration/share-requests/interaction.ts';
import { giversOf } from '#shared/domain/mail/mailboxes/givers.ts';
import { threadInteractions } from '#shared/domain/mail/threads/hidden.ts';

/** What users may know of and ask for without seeing it. */
export const hidden: KnowsHidden = {
  hidden: { kinds: { threads: threadInteractions, calendar_events: eventInteractions }, givers: giversOf },
};
