import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { isVisible } from './access.ts';
import type { CalendarEvent, OwnField } from './event.ts';
import { fieldsOf, inherit, readEvent, readStored, untimedOccurrence } from './inherited.ts';
import { type OccurrenceKey, occurrenceId, readOccurrenceId } from './occurrence-id.ts';
import { SeriesDays } from './occurrences.ts';

/**
 * Events as they are read: an occurrence takes from its series what is not its own, whether it is stored or not
 * (docs/decisions/0041).
 */

/** Whether it stands for its occurrences; lists show those instead. */
export const isSeries = ({ recurrence }: Pick<CalendarEvent, 'recurrence'>) => recurrence !== null;

/** The parts of an event that a request is about. */
export const ownAmong = (changes: object): OwnField[] =>
  (Object.keys(fieldsOf) as OwnField[]).filter((name) =>
    fieldsOf[name].some((field) => (changes as Record<string, unknown>)[field] !== undefined),
  );

/** The days of each series are worked out once. */
const known = new WeakMap<CalendarEvent, SeriesDays>();

export function daysOf(series: CalendarEvent): SeriesDays {
  const days = known.get(series) ?? new SeriesDays(series);
  known.set(series, days);
  return days;
}

/** An occurrence without anything of its own. */
export function plainOccurrence(series: CalendarEvent, key: OccurrenceKey): CalendarEvent {
  const times = daysOf(series).timesOf(key);
  const untimed = untimedOccurrence(series, key, occurrenceId(series.handle, key));
  return { ...untimed, ...times, original_starts_at: times.starts_at };
}

/** A stored occurrence with what it takes from its series. */
export const withSeries = (stored: CalendarEvent, series: CalendarEvent): CalendarEvent =>
  inherit(stored, series, plainOccurrence(series, stored.original_key ?? ''));

const isOccurrence = ({ recurring_event_id }: CalendarEvent) => recurring_event_id !== null;

/** Stored events as they are read. Those whose series is gone are left out. */
export async function whole(
  table: Table,
  stored: CalendarEvent[],
  seriesKnown: ReadonlyMap<string, CalendarEvent> = new Map(),
): Promise<CalendarEvent[]> {
  const ids = stored.flatMap(({ recurring_event_id: id }) => (id === null || seriesKnown.has(id) ? [] : id));
  const read = await table.getMany<CalendarEvent>(ids.map((id) => keys.record('calendar_events', id)));
  const byId = new Map([...seriesKnown, ...read.map((series) => [series.id, series] as const)]);
  return stored.flatMap((event) => {
    if (!isOccurrence(event)) return [event];
    const series = byId.get(event.recurring_event_id ?? '');
    return isThere(series) ? [withSeries(event, series)] : [];
  });
}

/** An event by its id, with what of it is stored. */
export interface Found {
  event: CalendarEvent;
  /** Undefined for an occurrence without anything of its own. */
  stored: CalendarEvent | undefined;
  /** Of an occurrence. */
  series: CalendarEvent | undefined;
}

async function findOccurrence(table: Table, id: string): Promise<Found | undefined> {
  const named = readOccurrenceId(id);
  if (!named) return undefined;
  const series = await readEvent(table, named.series_id);
  if (!isThere(series) || !isSeries(series)) return undefined;
  if (series.apart?.has(named.key)) {
    // Deleted, or stored since it was looked for.
    const stored = await readEvent(table, id);
    return isThere(stored) ? { event: withSeries(stored, series), stored, series } : undefined;
  }
  if (!daysOf(series).has(named.key)) return undefined;
  return { event: plainOccurrence(series, named.key), stored: undefined, series };
}

/** For anybody: whether the caller sees it is for the policy. */
export async function findEvent(table: Table, id: string): Promise<Found | undefined> {
  const read = await readStored(table, id);
  if (read === 'nothing') return findOccurrence(table, id);
  return read && { event: read.series ? withSeries(read.stored, read.series) : read.stored, ...read };
}

export async function findVisibleEvent(ctx: CallerContext, id: string): Promise<Found | undefined> {
  const found = await findEvent(ctx.table, id);
  return found && isVisible(ctx.caller, found.event) ? found : undefined;
}
