import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { CalendarEvent, OwnField } from './event.ts';

/**
 * What an occurrence has from its series, but for its times: these follow from the rule, and who only asks who sees an
 * event, or what it is called, needs no library of rules (docs/decisions/0041).
 */

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

type Times = 'starts_at' | 'ends_at' | 'all_day' | 'starts_on' | 'ends_on' | 'original_starts_at';

/** An event, or an occurrence of which the times are not known. */
export type UntimedEvent = Omit<CalendarEvent, Times>;

const pick = (event: CalendarEvent, fields: Field[]) =>
  Object.fromEntries(fields.filter((field) => field in event).map((field) => [field, event[field]]));

const union = (a: Set<string> | undefined, b: Set<string> | undefined) => {
  const all = new Set([...(a ?? []), ...(b ?? [])]);
  return all.size > 0 ? { tag_ids: all } : {};
};

/** An occurrence without anything of its own. */
export function untimedOccurrence(series: CalendarEvent, key: string, id: string): UntimedEvent {
  const { last_on, shift_days, apart, transcript, brief, file, starts_at, ends_at, ...common } = series;
  return {
    ...common,
    ...keys.record('calendar_events', id),
    id,
    recurrence: null,
    recurring_event_id: series.id,
    original_key: key,
    own: [],
    transcript: null,
  };
}

/** A stored occurrence: what it has of its own, over `plain`, which has none of that. */
export function inherit<E extends UntimedEvent>(stored: CalendarEvent, series: CalendarEvent, plain: E): E {
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

/** What there is of an event by its id. */
export interface StoredEvent {
  stored: CalendarEvent;
  /** Of an occurrence. */
  series: CalendarEvent | undefined;
}

export const readEvent = (table: Table, id: string) =>
  table.get<CalendarEvent>(keys.record('calendar_events', id));

/** Undefined when it or its series was deleted, `nothing` when it never had an item. */
export async function readStored(table: Table, id: string): Promise<StoredEvent | 'nothing' | undefined> {
  const stored = await readEvent(table, id);
  if (!stored) return 'nothing';
  if (!isThere(stored)) return undefined;
  if (stored.recurring_event_id === null) return { stored, series: undefined };
  const series = await readEvent(table, stored.recurring_event_id);
  return isThere(series) ? { stored, series } : undefined;
}

/** Whatever something hangs on has an item (keep.ts). */
export async function findStoredEvent(table: Table, id: string): Promise<UntimedEvent | undefined> {
  const read = await readStored(table, id);
  if (!read || read === 'nothing') return undefined;
  const { stored, series } = read;
  return series ? inherit(stored, series, untimedOccurrence(series, stored.original_key ?? '', id)) : stored;
}
