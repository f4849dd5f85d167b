import { linkedPage } from '#shared/domain/collaboration/record-lists/linked.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { CalendarEvent } from './event.ts';

/** Occurrences read at once. A series may have some thousands of 100 kB, more than memory has room for. */
const TOGETHER = 100;

/** The occurrences of a series that are stored, without what they take from it, some at a time. */
export async function* pagesOfOccurrences(
  table: Table,
  series_id: string,
  limit = TOGETHER,
): AsyncGenerator<CalendarEvent[]> {
  let after: string | undefined;
  do {
    const ref = { type: 'calendar_events' as const, id: series_id };
    const page = await linkedPage(table, ref, { after, limit });
    const ids = page.refs.flatMap(({ type, id }) => (type === 'calendar_events' ? [id] : []));
    const read = await table.getMany<CalendarEvent>(ids.map((id) => keys.record('calendar_events', id)));
    yield read.filter(isThere);
    after = page.last;
  } while (after !== undefined);
}

/** Whether an occurrence has times of its own. All others are when their series says. */
export const hasOwnTimes = ({ own = [] }: Pick<CalendarEvent, 'own'>) => own.includes('times');
