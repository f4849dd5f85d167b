import { findStoredEvent } from '#shared/domain/calendar/calendar-events/inherited.ts';
import { eventKindBy } from '#shared/domain/calendar/calendar-events/kind-by.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { linkableWith, recordsWith } from './record-kinds.ts';

/** The same records, for requests about a comment: it hangs on an item, so none needs the rules of series. */
export const commented = {
  records: recordsWith(linkableWith(eventKindBy(findStoredEvent))),
} satisfies SeesRecords;
