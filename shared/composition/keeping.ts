import { keepEvent } from '#shared/domain/calendar/calendar-events/keep.ts';
import { eventKind } from '#shared/domain/calendar/calendar-events/kind.ts';
import { eventSharing } from '#shared/domain/calendar/calendar-events/sharing.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { SharesRecords } from '#shared/domain/collaboration/shares/kind.ts';
import { sharing } from './sharing.ts';
import { visibility } from './visibility.ts';

/**
 * The same records, for requests that store something under them: one without an item gets it first. Apart, so that
 * requests that only read bundle nothing that writes.
 */
export const keeping = {
  records: { ...visibility.records, calendar_events: { ...eventKind, keep: keepEvent } },
} satisfies SeesRecords;

export const sharingKept = {
  sharing: { ...sharing.sharing, calendar_events: { ...eventSharing, keep: keepEvent } },
} satisfies SharesRecords;
