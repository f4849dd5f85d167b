import { keepEvent } from '#shared/domain/calendar/calendar-events/keep.ts';
import { eventSharing } from '#shared/domain/calendar/calendar-events/sharing.ts';
import type { SharesRecords } from '#shared/domain/collaboration/shares/kind.ts';
import { sharing } from './sharing.ts';

/** The records that are shared, for requests that share one: one without an item gets it first. */
export const sharingKept = {
  sharing: { ...sharing.sharing, calendar_events: { ...eventSharing, keep: keepEvent } },
} satisfies SharesRecords;
