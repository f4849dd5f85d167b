import { linkedIds } from '#shared/domain/collaboration/record-lists/linked.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { FindReminders, Reminder } from '#shared/domain/collaboration/reminders/kind.ts';
import { noReminders } from '#shared/domain/collaboration/reminders/kind.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { CalendarEvent } from './event.ts';
import { hasOwnTimes } from './exceptions.ts';
import { findEvent, plainOccurrence, withSeries } from './load.ts';
import { type Moment, momentsBetween, nextMomentOf } from './moments.ts';
import { readOccurrenceId } from './occurrence-id.ts';

/**
 * Reminders of events. A series waits for all of its occurrences; one with times of its own waits for itself. Everybody
 * has their own reminders, which the series, or the single event, has in its item (docs/decisions/0053).
 */

/** Whether an occurrence may have one of the keys. One that came when a series was divided kept its id, which says nothing. */
function mayHave({ id }: CalendarEvent, wanted: ReadonlySet<string>) {
  return (occurrence_id: string) => {
    const named = readOccurrenceId(occurrence_id);
    return named?.series_id !== id || wanted.has(named.key);
  };
}

/** The occurrences of these keys that were set apart, as they are read, by their keys. A series may have thousands more. */
async function exceptionsOf(
  table: Table,
  series: CalendarEvent,
  wanted: ReadonlySet<string>,
): Promise<Map<string, CalendarEvent>> {
  const all = await linkedIds(table, { type: 'calendar_events', id: series.id }, 'calendar_events');
  const ids = all.filter(mayHave(series, wanted));
  const stored = await table.getMany<CalendarEvent>(ids.map((id) => keys.record('calendar_events', id)));
  const found = stored.filter((each) => isThere(each) && wanted.has(each.original_key ?? ''));
  return new Map(found.map((each) => [each.original_key ?? '', withSeries(each, series)]));
}

/** What is at a moment: the event, or an occurrence; undefined for one that is deleted, cancelled, or at another time. */
function occurrenceAt(
  series: CalendarEvent,
  { key }: Moment,
  exceptions: ReadonlyMap<string, CalendarEvent>,
): CalendarEvent | undefined {
  if (key === undefined) return series;
  if (!series.apart?.has(key)) return plainOccurrence(series, key);
  const exception = exceptions.get(key);
  const there = exception && exception.status !== 'cancelled' && !hasOwnTimes(exception);
  return there ? exception : undefined;
}

function reminderOf({ id, account_id, name, reminders = {} }: CalendarEvent, moment: Moment): Reminder {
  const { at, minutes, start } = moment;
  const asked = Object.entries(reminders).filter(([, each]) => each.includes(minutes));
  return {
    account_id,
    record: { type: 'calendar_events', id, label: { name } },
    event: 'calendar_event_reminder',
    at,
    user_ids: asked.map(([user_id]) => user_id),
    about: { minutes, starts_at: new Date(start).toISOString() },
  };
}

export const eventReminders: FindReminders = async (table, id, { from, to }) => {
  const found = await findEvent(table, id);
  const { event, stored, series } = found ?? {};
  // Its series waits for an occurrence without times of its own.
  if (!event || event.status === 'cancelled' || (series && !(stored && hasOwnTimes(stored))))
    return noReminders;
  const own = series ? singly(event) : event;
  const moments = momentsBetween(own, from - 1, to);
  const apart = new Set(
    moments.flatMap(({ key }) => (key !== undefined && own.apart?.has(key) ? [key] : [])),
  );
  const exceptions =
    apart.size > 0 ? await exceptionsOf(table, own, apart) : new Map<string, CalendarEvent>();
  const due = moments.flatMap((moment) => {
    const occurrence = occurrenceAt(own, moment, exceptions);
    return occurrence ? [reminderOf(occurrence, moment)] : [];
  });
  return { due, next: nextMomentOf(own, to) };
};

/** An occurrence at its own times. */
const singly = ({ apart, ...occurrence }: CalendarEvent): CalendarEvent => occurrence;
