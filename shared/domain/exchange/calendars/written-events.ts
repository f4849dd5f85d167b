import { isDeepStrictEqual } from 'node:util';
import { Temporal } from 'temporal-polyfill';
import { accessTo } from '#shared/domain/calendar/calendar-events/access.ts';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { pagesOfOccurrences } from '#shared/domain/calendar/calendar-events/exceptions.ts';
import { daysOf, isSeries, withSeries } from '#shared/domain/calendar/calendar-events/load.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError } from '#shared/errors.ts';
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

/** Exceptions read at once: each may have 100 kB, a series some thousands, and several series are written at once. */
const TOGETHER = 25;

/** The exceptions that the caller sees, some at a time. */
async function* exceptionsOf(
  { table, caller }: CallerContext,
  series: CalendarEvent,
): AsyncGenerator<CalendarEvent[]> {
  if (!series.apart) return;
  for await (const page of pagesOfOccurrences(table, series.id, TOGETHER))
    yield page.map((each) => withSeries(each, series)).filter((each) => accessTo(caller.user, each));
}

/** Occurrences that are stored only for their comments are as the series says. */
export const differs = ({ own = [], responses }: CalendarEvent, series: CalendarEvent) =>
  own.length > 0 || !isDeepStrictEqual(responses, series.responses);

/** When the series has the occurrence with this key, by its own clock. */
const localOf = (series: CalendarEvent, key: string) => {
  const { zone } = daysOf(series);
  const { starts_at } = daysOf(series).timesOf(key);
  return Temporal.Instant.from(starts_at).toZonedDateTimeISO(zone).toPlainDateTime();
};

/** The series itself; `known` are the keys of the exceptions that are written. */
function seriesText(
  { caller }: CallerContext,
  series: CalendarEvent,
  known: Set<string | undefined>,
): string {
  const left_out = [...(series.apart ?? [])]
    .filter((key) => !known.has(key))
    .map((key) => localOf(series, key));
  return veventOf(series, { viewer: caller.user, left_out });
}

/** A series whose exceptions are written apart from it, as many as there may be. */
export async function writtenAlone(ctx: CallerContext, series: CalendarEvent): Promise<WrittenEvent> {
  const known = new Set<string | undefined>();
  for await (const page of exceptionsOf(ctx, series))
    for (const { original_key } of page) known.add(original_key);
  return { text: seriesText(ctx, series, known), zones: zoneOf(series) };
}

async function writtenSeries(ctx: CallerContext, series: CalendarEvent, most: number): Promise<WrittenEvent> {
  const known = new Set<string | undefined>();
  const zones = new Set(zoneOf(series));
  let text = '';
  for await (const page of exceptionsOf(ctx, series)) {
    for (const event of page) {
      known.add(event.original_key);
      if (!differs(event, series)) continue;
      for (const zone of zoneOf(event)) zones.add(zone);
      text += veventOf(event, { viewer: ctx.caller.user, series });
    }
    if (text.length > most) throw new ApiError('calendar_too_large');
  }
  return { text: seriesText(ctx, series, known) + text, zones: [...zones] };
}

interface Writing {
  /** That of an occurrence. */
  series?: CalendarEvent | undefined;
  /** Characters; 422 `calendar_too_large` for a series with more. */
  most?: number;
}

export function writtenEvent(
  ctx: CallerContext,
  event: CalendarEvent,
  { series, most = Number.POSITIVE_INFINITY }: Writing = {},
): Promise<WrittenEvent> | WrittenEvent {
  if (isSeries(event)) return writtenSeries(ctx, event, most);
  const text = veventOf(event, { viewer: ctx.caller.user, series });
  return { text, zones: [...new Set([event, ...(series ? [series] : [])].flatMap(zoneOf))] };
}
