import { keepEvent } from '#shared/domain/calendar/calendar-events/keep.ts';
import { eventKind } from '#shared/domain/calendar/calendar-events/kind.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { visibility } from './visibility.ts';

/**
 * The same records, for requests that store something under them: one without an item gets it first. Apart, so that
 * requests that only read bundle nothing that writes.
 */
export const keeping = {
  records: { ...visibility.records, calendar_events: { ...eventKind, keep: keepEvent } },
} satisfies SeesRecords;
