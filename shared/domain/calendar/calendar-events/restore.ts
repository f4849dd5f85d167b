import type { Restorable } from '#shared/domain/collaboration/deletions/restorable.ts';
import { indexingJob } from '#shared/domain/collaboration/record-lists/job.ts';
import { linkRow } from '#shared/domain/collaboration/record-lists/linked.ts';
import { recordWrite } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { accessTo } from './access.ts';
import { owedAgain } from './at-server.ts';
import { firstDayAlone, firstKey } from './ended.ts';
import type { CalendarEvent } from './event.ts';
import { firstOfMeeting } from './imported/first.ts';
import { eventIndex } from './lists.ts';
import { type Found, isSeries, withSeries } from './load.ts';
import { checkedSeries } from './occurrences.ts';
import { mayChange, requireChangeableEvent } from './policy.ts';
import { eventWaits, occurrenceWaits } from './waiting.ts';
import { eventRef, seriesAsRead, setApart } from './writes.ts';

/** Deleted events as they come back: an occurrence while its series is there. */

/** The series of an occurrence; undefined when it is gone. */
async function seriesOf(
  table: Table,
  { recurring_event_id }: CalendarEvent,
): Promise<CalendarEvent | undefined> {
  const series = await table.get<CalendarEvent>(keys.record('calendar_events', recurring_event_id ?? ''));
  return isThere(series) ? series : undefined;
}

async function asRead(table: Table, stored: CalendarEvent): Promise<Found | undefined> {
  if (stored.recurring_event_id === null) return { event: stored, stored, series: undefined };
  const series = await seriesOf(table, stored);
  return series && { event: withSeries(stored, series), stored, series };
}

/** The event that a series became stood in the place of its first occurrence. */
function repeatsAgain(series: CalendarEvent, now: Date): Write[] {
  const updated_at = nextMoment(series, now);
  const after = checkedSeries({ ...series, recurrence: firstDayAlone(series), updated_at });
  const lists = indexingJob({ record_type: 'calendar_events', record_ids: [series.id] }, now);
  return [recordWrite(series, after), enqueue(lists)];
}

/** Its series went on without it, and leaves it out still. */
function seriesWrites(after: CalendarEvent, series: CalendarEvent, now: Date): Write[] {
  const key = after.original_key ?? '';
  if (!series.apart?.has(key)) return [setApart(series, key)];
  if (!isSeries(series) && key === firstKey(series)) return repeatsAgain(series, now);
  return seriesAsRead({ stored: after, series });
}

function occurrenceWrites(after: CalendarEvent, series: CalendarEvent, now: Date): Write[] {
  return [
    ...seriesWrites(after, series, now),
    linkRow(eventRef(after.id), eventRef(series.id)),
    ...occurrenceWaits(undefined, after, series, now),
  ];
}

/** Another copy of the meeting may be the first one by now. */
async function backInMeeting(ctx: CallerContext, event: CalendarEvent) {
  if (!event.file?.names) return { after: event, writes: [] };
  const { file, writes } = await firstOfMeeting(ctx, event);
  return { after: { ...event, file: { ...event.file, ...file } }, writes };
}

export const restorableEvents: Restorable<CalendarEvent> = {
  index: eventIndex,
  links: [],
  async mayDelete({ table, caller }, stored) {
    const found = await asRead(table, stored);
    if (!found) return false;
    return accessTo(caller.user, found.event) !== undefined && mayChange(caller, found.event);
  },
  require: requireChangeableEvent,
  async back(ctx, event) {
    if (event.recurring_event_id !== null) {
      const series = await seriesOf(ctx.table, event);
      const writes = series ? occurrenceWrites(event, series, ctx.now) : [];
      return { after: event, writes: [...writes, ...owedAgain(event, ctx.now)] };
    }
    const { after, writes } = await backInMeeting(ctx, event);
    return {
      after,
      writes: [...writes, ...eventWaits(undefined, after, ctx.now), ...owedAgain(after, ctx.now)],
    };
  },
};
