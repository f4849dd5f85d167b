import { isDeepStrictEqual } from 'node:util';
import { Temporal } from 'temporal-polyfill';
import { accessTo } from '#shared/domain/calendar/calendar-events/access.ts';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { daysOf, isSeries, withSeries } from '#shared/domain/calendar/calendar-events/load.ts';
import { eventRef } from '#shared/domain/calendar/calendar-events/writes.ts';
import { linkedIds } from '#shared/domain/collaboration/record-lists/linked.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import { veventOf } from './vevent-writer.ts';

/** Events as a file has them: a series with its exceptions, as the caller sees them. */

export interface WrittenEvent {
  /** VEVENTs. */
  text: string;
  /** Time zones that they name. */
  zones: string[];
}

const zoneOf = ({ all_day, time_zone }: CalendarEvent) =>
  all_day || time_zone === null || time_zone === 'UTC' ? [] : [time_zone];

async function exceptionsOf({ table }: CallerContext, series: CalendarEvent): Promise<CalendarEvent[]> {
  if (!series.apart) return [];
  const ids = await linkedIds(table, eventRef(series.id), 'calendar_events');
  const stored = await table.getMany<CalendarEvent>(ids.map((id) => keys.record('calendar_events', id)));
  return stored.filter(isThere).map((each) => withSeries(each, series));
}

/** Occurrences that are stored only for their comments are as the series says. */
const differs = ({ own = [], responses }: CalendarEvent, series: CalendarEvent) =>
  own.length > 0 || !isDeepStrictEqual(responses, series.responses);

/** When the series has the occurrence with this key, by its own clock. */
const localOf = (series: CalendarEvent, key: string) => {
  const { zone } = daysOf(series);
  const { starts_at } = daysOf(series).timesOf(key);
  return Temporal.Instant.from(starts_at).toZonedDateTimeISO(zone).toPlainDateTime();
};

async function writtenSeries(ctx: CallerContext, series: CalendarEvent): Promise<WrittenEvent> {
  const viewer = ctx.caller.user;
  const exceptions = await exceptionsOf(ctx, series);
  const seen = exceptions.filter((each) => accessTo(viewer, each));
  const known = new Set(seen.map(({ original_key }) => original_key));
  const left_out = [...(series.apart ?? [])]
    .filter((key) => !known.has(key))
    .map((key) => localOf(series, key));
  const written = seen.filter((each) => differs(each, series));
  return {
    text: [
      veventOf(series, { viewer, left_out }),
      ...written.map((event) => veventOf(event, { viewer, series })),
    ].join(''),
    zones: [...new Set([series, ...written].flatMap(zoneOf))],
  };
}

/** `series` is that of an occurrence. */
export function writtenEvent(
  ctx: CallerContext,
  event: CalendarEvent,
  series?: CalendarEvent,
): Promise<WrittenEvent> | WrittenEvent {
  if (isSeries(event)) return writtenSeries(ctx, event);
  const text = veventOf(event, { viewer: ctx.caller.user, series });
  return { text, zones: [...new Set([event, ...(series ? [series] : [])].flatMap(zoneOf))] };
}
