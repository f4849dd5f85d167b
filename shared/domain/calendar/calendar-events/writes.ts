import { indexingJob } from '#shared/domain/collaboration/record-lists/job.ts';
import { linkRow } from '#shared/domain/collaboration/record-lists/linked.ts';
import { recordChange, recordWrite } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import { invalidField } from '#shared/errors.ts';
import { keyOf } from '#shared/table/keys.ts';
import {
  type AllOf,
  asRead,
  below,
  either,
  missing,
  sized,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import { differsAtServer, owedToServer } from './at-server.ts';
import type { CalendarEvent } from './event.ts';
import { eventIndex } from './lists.ts';
import type { Found } from './load.ts';
import { isSeries } from './load.ts';
import { eventWaits, occurrenceWaits } from './waiting.ts';

export const eventRef = (id: string) => ({ type: 'calendar_events' as const, id });

/** Occurrences of one series that have something of their own, or are deleted: its item names all of them. */
const MAX_APART = 2_000;

/** Its occurrences show what it has, and remind of it. */
const unchanged = ({ updated_at, reminders }: CalendarEvent, further: AllOf<CalendarEvent> = {}) =>
  when<CalendarEvent>({ ...isLive, updated_at, reminders: asRead(reminders), ...further });

/**
 * The series leaves out the occurrence with this key from now on. Fails when the series changed, or the last place was taken
 * meanwhile.
 */
export function setApart(series: CalendarEvent, key: string, more: Partial<CalendarEvent> = {}): Write {
  if ((series.apart?.size ?? 0) >= MAX_APART)
    throw invalidField('scope', 'invalid', `cannot be this: a series has at most ${MAX_APART} exceptions`);
  return update<CalendarEvent>(keyOf(series), {
    add: { apart: new Set([key]) },
    ...(Object.keys(more).length > 0 ? { set: more } : {}),
    when: unchanged(series, { apart: either(missing, sized(below(MAX_APART))) }),
  });
}

/** A stored occurrence shows what its series has: it changes while the series is as it was read. */
export const seriesAsRead = ({ stored, series }: Pick<Found, 'stored' | 'series'>): Write[] =>
  stored && series ? [{ check: keyOf(series), when: unchanged(series) }] : [];

/** What is stored of an occurrence that has nothing of its own yet. */
export function storable(occurrence: CalendarEvent, now: Date): CalendarEvent {
  const { tag_ids, original_starts_at, reminders, ...rest } = occurrence;
  return { ...rest, shares: {}, responses: {}, own: [], created_at: now.toISOString(), updated_at: null };
}

/** The change of one event with its lists and its next reminder; an occurrence without an item gets one. */
export async function eventChange(
  ctx: CallerContext,
  { stored, series }: Pick<Found, 'stored' | 'series'>,
  after: CalendarEvent,
): Promise<Change> {
  if (stored === after) return noChange;
  const besides =
    series && !stored
      ? [setApart(series, after.original_key ?? ''), linkRow(eventRef(after.id), eventRef(series.id))]
      : [];
  const waits = series ? occurrenceWaits(stored, after, series, ctx.now) : eventWaits(stored, after, ctx.now);
  // The ids of occurrences and of events in files follow from what they are.
  const returning = stored === undefined && (series !== undefined || after.file !== undefined);
  const owed = differsAtServer(stored, after) ? owedToServer([after], ctx.now) : noChange;
  const all = together(owed, [...besides, ...waits]);
  return recordChange(ctx, eventIndex, { before: stored, after, besides: all, returning });
}

interface Pair {
  before: CalendarEvent | undefined;
  after: CalendarEvent;
}

/**
 * The change of a series, with what changes of its occurrences, of which none gets times of its own. Jobs update all of
 * their lists.
 */
export function seriesChange(pairs: Pair[], now: Date): Change {
  const changed = pairs.filter(({ before, after }) => before !== after);
  if (changed.length === 0) return noChange;
  const record_ids = changed.map(({ after }) => after.id);
  const series = changed.filter(({ before, after }) => isSeries(after) || (before && isSeries(before)));
  const owed = owedToServer(
    changed.map(({ after }) => after),
    now,
  );
  return together(owed, {
    writes: changed.flatMap(({ before, after }) => [
      recordWrite(before, after),
      ...(after.recurring_event_id === null ? eventWaits(before, after, now) : []),
    ]),
    jobs: [
      indexingJob({ record_type: 'calendar_events', record_ids }, now),
      ...series.map(({ after }) => indexingJob({ linked_to: eventRef(after.id) }, now)),
    ],
  });
}
