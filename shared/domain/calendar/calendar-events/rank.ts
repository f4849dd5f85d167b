import { momentRank, rankOf } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { CalendarEvent } from './event.ts';

/** The place of an event in the order of lists: when it starts, then its id. */
export const rankOfEvent = ({ starts_at, id }: Pick<CalendarEvent, 'starts_at' | 'id'>) =>
  rankOf(momentRank(starts_at), id);
