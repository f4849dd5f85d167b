import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { CalendarEvent, OwnField } from './event.ts';
import { type OccurrenceKey, occurrenceId, readOccurrenceId } from './occurrence-id.ts';
import { SeriesDays } from './occurrences.ts';

/**
 * Events as they are read: an occurrence takes from its series what is not its own, whether it is stored or not
 * (docs/decisions/0041).
 */

/** Whether it stands for its occurrences; lists show those instead. */
export const isSeries = ({ recurrence }: Pick<CalendarEvent, 'recurrence'>) => recurrence !== null;

type Field = keyof CalendarEvent;

export const fieldsOf: Record<OwnField, Field[]> = {
  times: ['starts_at', 'ends_at', 'all_day', 'starts_on', 'ends_on', 'time_zone'],
  name: ['name'],
  description_html: ['description_html'],
  location: ['location'],
  conference_url: ['conference_url'],
  private: ['private'],
  attendees: ['attendees', 'invited_user_ids'],
  status: ['status'],
};

/** The parts of an event that a request is about. */
export const ownAmong = (changes: object): OwnField[] =>
  (Object.keys(fieldsOf) as OwnField[]).filter((name) =>
    fieldsOf[name].some((field) => (changes as Record<string, unknown>)[field] !== undefined),
  );

const pick = (event: CalendarEvent, fields: Field[]) =>
  Object.fromEntries(fields.filter((field) => field in event).map((field) => [field, event[field]]));

const union = (a: Set<string> | undefined, b: Set<string> | undefined) => {
  const all = new Set([...(a ?? []), ...(b ?? [])]);
  return all.size > 0 ? { tag_ids: all } : {};
};

/** The days of each series are worked out once. */
const known = new WeakMap<CalendarEvent, SeriesDays>();

export function daysOf(series: CalendarEvent): SeriesDays {
  const days = known.get(series) ?? new SeriesDays(series);
  known.set(series, days);
  return days;
}

/** An occurrence without anything of its own. */
export function plainOccurrence(series: CalendarEvent, key: OccurrenceKey): CalendarEvent {
  const { last_on, shift_days, apart, transcript, brief, file, ...common } = series;
  const id = occurrenceId(series.handle, key);
  const times = daysOf(series).timesOf(key);
  return {
    ...common,
    ...times,
    ...keys.record('calendar_events', id),
    id,
    recurrence: null,
    recurring_event_id: series.id,
    original_key: key,
    original_starts_at: times.starts_at,
    own: [],
    transcript: null,
  };
}

/** A stored occurrence with what it takes from its series. */
export function withSeries(stored: CalendarEvent, series: CalendarEvent): CalendarEvent {
  const plain = plainOccurrence(series, stored.original_key ?? '');
  const { tag_ids, brief, deleting, ...rest } = stored;
  return {
    ...plain,
    ...pick(
      stored,
      (stored.own ?? []).flatMap((name) => fieldsOf[name]),
    ),
    ...keys.record('calendar_events', rest.id),
    id: rest.id,
    own: stored.own ?? [],
    transcript: stored.transcript,
    ...(brief ? { brief } : {}),
    ...(deleting ? { deleting } : {}),
    responses: { ...series.responses, ...stored.responses },
    shares: { ...series.shares, ...stored.shares },
    ...union(series.tag_ids, tag_ids),
    created_at: stored.created_at,
    updated_at: [stored.updated_at, series.updated_at].reduce((a, b) => ((a ?? '') > (b ?? '') ? a : b)),
  };
}

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

const readSeries = (table: Table, id: string) => table.get<CalendarEvent>(keys.record('calendar_events', id));

async function findOccurrence(table: Table, id: string): Promise<Found | undefined> {
  const named = readOccurrenceId(id);
  if (!named) return undefined;
  const series = await readSeries(table, named.series_id);
  if (!isThere(series) || !isSeries(series)) return undefined;
  if (series.apart?.has(named.key)) {
    // Deleted, or stored since it was looked for.
    const stored = await readSeries(table, id);
    return isThere(stored) ? { event: withSeries(stored, series), stored, series } : undefined;
  }
  if (!daysOf(series).has(named.key)) return undefined;
  return { event: plainOccurrence(series, named.key), stored: undefined, series };
}

/** For anybody: whether the caller sees it is for the policy. */
export async function findEvent(table: Table, id: string): Promise<Found | undefined> {
  const stored = await readSeries(table, id);
  if (!stored) return findOccurrence(table, id);
  if (!isThere(stored)) return undefined;
  if (stored.recurring_event_id === null) return { event: stored, stored, series: undefined };
  const series = await readSeries(table, stored.recurring_event_id);
  return isThere(series) ? { event: withSeries(stored, series), stored, series } : undefined;
}
