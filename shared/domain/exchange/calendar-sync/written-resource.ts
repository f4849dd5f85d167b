import ICAL from 'ical.js';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { pagesOfOccurrences } from '#shared/domain/calendar/calendar-events/exceptions.ts';
import { changedParts, noted } from '#shared/domain/calendar/calendar-events/imported/newer.ts';
import { isSeries, plainOccurrence, withSeries } from '#shared/domain/calendar/calendar-events/load.ts';
import { MAX_RESOURCE, ServerRefused } from '#shared/domain/calendar/servers/server.ts';
import { CALENDAR_END, calendarHead, withZones } from '#shared/domain/exchange/calendars/calendar-file.ts';
import { writtenEvent } from '#shared/domain/exchange/calendars/written-events.ts';
import { type CalendarHead, noHead, readEvents } from '#shared/domain/exchange/formats/ics-reader.ts';
import { eventRow } from '#shared/domain/exchange/records/event-row.ts';
import type { ImportContext } from '#shared/domain/exchange/records/row.ts';
import { readVEvent } from '#shared/domain/exchange/records/vevent.ts';
import { keyOf } from '#shared/table/keys.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import { mergedFile, newFile, type OurEvent, parseCalendar, withoutExceptions } from './merged-file.ts';
import { sourceOf } from './read-resource.ts';

/** An event, or a series with its exceptions, as the resource that the server is to have. */

/** What is stored of it here. */
interface Ours {
  event: CalendarEvent;
  exceptions: CalendarEvent[];
}

const tooLarge = () => new ServerRefused('an event is larger with its exceptions than what is read of one');

/** Characters of exceptions as they are stored, which memory has room for beside the resource. */
const MOST_STORED = 2 * MAX_RESOURCE;

/** Throws ServerRefused for a series that is too large: nobody could read it back. */
export async function oursOf(ctx: ImportContext, event: CalendarEvent): Promise<Ours> {
  const exceptions: CalendarEvent[] = [];
  if (!isSeries(event) || !event.apart) return { event, exceptions };
  let size = 0;
  for await (const page of pagesOfOccurrences(ctx.table, event.id)) {
    exceptions.push(...page);
    size += JSON.stringify(page).length;
    if (size > MOST_STORED) throw tooLarge();
  }
  return { event, exceptions };
}

/** Which occurrence an event stands for, in words that compare across programs; undefined for the event itself. */
const occurrenceIn =
  (head: CalendarHead, zone: string) =>
  (component: ICAL.Component): string | undefined => {
    if (!component.hasProperty('recurrence-id')) return undefined;
    const text = `BEGIN:VEVENT\r\n${component
      .getAllProperties()
      .filter(({ name }) => ['recurrence-id', 'uid', 'dtstart'].includes(name))
      .map((each) => each.toICALString())
      .join('\r\n')}\r\nEND:VEVENT`;
    try {
      const { occurrence } = eventRow(readVEvent(text), head, zone).meeting;
      return occurrence && ('on' in occurrence ? occurrence.on : occurrence.at);
    } catch {
      // One that cannot be read stays as it is.
      return text;
    }
  };

/** What the resource says of its time zones. */
async function headOf(text: string): Promise<CalendarHead> {
  let head = noHead;
  for await (const entry of readEvents(sourceOf(text), 'utf-8', { from: 0, known: noHead }))
    ({ head } = entry);
  return head;
}

async function writtenOf(ctx: ImportContext, { event }: Ours): Promise<string> {
  const written = await writtenEvent(ctx, event);
  return calendarHead() + withZones([written], new Set(), ctx.now) + CALENDAR_END;
}

/** The text for the server; `there` is what it has now. Throws ServerRefused as `oursOf` does. */
export async function resourceText(
  ctx: ImportContext,
  ours: Ours,
  there: string | undefined,
): Promise<string> {
  const text = await mergedText(ctx, ours, there);
  if (Buffer.byteLength(text) > MAX_RESOURCE) throw tooLarge();
  return text;
}

async function mergedText(ctx: ImportContext, ours: Ours, there: string | undefined): Promise<string> {
  const written = parseCalendar(await writtenOf(ctx, ours));
  if (there === undefined) return newFile(written);
  const occurrenceOf = occurrenceIn(await headOf(there), ctx.caller.user.time_zone);
  const { event, exceptions } = ours;
  const changes = new Map(
    exceptions.map((each) => {
      const { starts_at, starts_on } = plainOccurrence(event, each.original_key ?? '');
      return [starts_on ?? starts_at, changedParts(each, withSeries(each, event))] as const;
    }),
  );
  const events = written.getAllSubcomponents('vevent').map((component): OurEvent => {
    const occurrence = occurrenceOf(component);
    const own = occurrence === undefined ? changedParts(event, event) : changes.get(occurrence);
    return { occurrence, component, changed: own ?? new Set() };
  });
  const known = new Set(events.map(({ occurrence }) => occurrence));
  const left = leftOut(written, occurrenceOf);
  const text = withoutExceptions(there, (component) => {
    const occurrence = occurrenceOf(component);
    return occurrence !== undefined && !known.has(occurrence) && left.has(occurrence);
  });
  return mergedFile(text, written, { events, occurrenceOf });
}

/** The occurrences that the series leaves out. */
function leftOut(
  written: ICAL.Component,
  occurrenceOf: (component: ICAL.Component) => string | undefined,
): Set<string> {
  const [series] = written.getAllSubcomponents('vevent');
  const all = series?.getAllProperties('exdate') ?? [];
  const named = all.flatMap((property) => {
    const [, parameters, type, ...values] = property.toJSON() as [string, object, string, ...unknown[]];
    return values.map((value) => {
      const component = new ICAL.Component('vevent');
      component.addProperty(new ICAL.Property(['recurrence-id', { ...parameters }, type, value] as never));
      component.addProperty(new ICAL.Property(['uid', {}, 'text', 'x'] as never));
      component.addProperty(new ICAL.Property(['dtstart', { ...parameters }, type, value] as never));
      return occurrenceOf(component) ?? '';
    });
  });
  return new Set(named);
}

/** Now the server says what is written here: an event that changed meanwhile keeps its note, and is written again. */
export async function noteAsWritten(ctx: ImportContext, { event, exceptions }: Ours): Promise<void> {
  const all = [
    { stored: event, whole: event },
    ...exceptions.map((stored) => ({ stored, whole: withSeries(stored, event) })),
  ];
  for (const { stored, whole } of all) {
    const { sequence = 0, modified_at = null, row = event.id } = stored.file ?? {};
    const base = stored.file ? { file: stored.file } : {};
    const { file } = noted({ ...whole, ...base }, { meeting: { sequence, modified_at }, row });
    await tryUpdate<CalendarEvent>(ctx.table, keyOf(stored), {
      set: { file },
      when: { updated_at: stored.updated_at },
    });
  }
}
