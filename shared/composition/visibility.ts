import { eventKind } from '#shared/domain/calendar/calendar-events/kind.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { linkableWith, recordsWith } from './record-kinds.ts';

/** The records that tasks and files may be linked to. */
export const linkable = linkableWith(eventKind);

/** How records are loaded, who sees them and what they are called. */
export const visibility = { records: recordsWith(linkable) } satisfies SeesRecords;
