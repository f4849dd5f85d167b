import ICAL from 'ical.js';
import type { Part } from '#shared/domain/calendar/calendar-events/imported/newer.ts';
import { ServerRefused } from '#shared/domain/calendar/servers/server.ts';
import { mergePeople, withoutLonePerson } from './merged-people.ts';

/**
 * A resource of a server with what was changed here. Everything else stays as the server has it: alarms, properties of
 * other programs, parameters, events that could not be read.
 */

/** By the parts of an event that change together. */
const PROPERTIES: Record<Part, string[]> = {
  times: ['dtstart', 'dtend', 'duration', 'rrule', 'rdate', 'exdate'],
  name: ['summary'],
  description_html: ['description', 'x-alt-desc', 'styled-description'],
  location: ['location'],
  conference_url: ['conference', 'url'],
  private: ['class'],
  status: ['status'],
  attendees: [],
};

const STAMPS = ['dtstamp', 'last-modified'];

/** One event of ours: its VEVENT, and which parts were changed here since the server told them. */
export interface OurEvent {
  /** Of an exception, the moment or day that it stands for, as `occurrenceOf` says it. */
  occurrence: string | undefined;
  component: ICAL.Component;
  changed: ReadonlySet<Part>;
}

const make = (jcal: unknown[]) => new ICAL.Property(jcal as never);

const copied = (property: ICAL.Property) => make(structuredClone(property.toJSON()) as unknown[]);

function replace(theirs: ICAL.Component, ours: ICAL.Component, names: string[]): void {
  for (const name of names) {
    theirs.removeAllProperties(name);
    for (const property of ours.getAllProperties(name)) theirs.addProperty(copied(property));
  }
}

/** RFC 5545, 3.8.7.4: a move is a new revision. */
function revise(theirs: ICAL.Component): void {
  const known = Number(theirs.getFirstPropertyValue('sequence') ?? 0);
  theirs.updatePropertyWithValue('sequence', (Number.isSafeInteger(known) ? known : 0) + 1);
}

function mergeEvent(theirs: ICAL.Component, { component: ours, changed }: OurEvent): void {
  for (const part of changed) replace(theirs, ours, PROPERTIES[part]);
  // Occurrences that were deleted here are no part of their series.
  if (!changed.has('times') && ours.hasProperty('exdate')) replace(theirs, ours, ['exdate']);
  mergePeople(theirs, ours, { changed: changed.has('attendees'), make });
  replace(theirs, ours, STAMPS);
  if (changed.has('times')) revise(theirs);
}

export function parseCalendar(text: string): ICAL.Component {
  try {
    const parsed = ICAL.parse(text) as unknown[];
    const [first] = Array.isArray(parsed[0]) ? (parsed as unknown[][]) : [parsed];
    const calendar = new ICAL.Component(first as never);
    if (calendar.name === 'vcalendar') return calendar;
  } catch {
    // As for a file that is none.
  }
  throw new ServerRefused('The resource at the server cannot be read');
}

/** Zones that the resource does not explain yet. */
function addZones(theirs: ICAL.Component, ours: ICAL.Component): void {
  const idOf = (zone: ICAL.Component) => `${zone.getFirstPropertyValue('tzid')}`;
  const known = new Set(theirs.getAllSubcomponents('vtimezone').map(idOf));
  for (const zone of ours.getAllSubcomponents('vtimezone'))
    if (!known.has(idOf(zone)))
      theirs.addSubcomponent(new ICAL.Component(structuredClone(zone.toJSON()) as never));
}

const ended = (calendar: ICAL.Component) => `${calendar.toString().trimEnd()}\r\n`;

/** A resource that the server does not have yet. */
export function newFile(ours: ICAL.Component): string {
  for (const event of ours.getAllSubcomponents('vevent')) withoutLonePerson(event);
  return ended(ours);
}

/** `left_out` names exceptions that were deleted here; `occurrenceOf` tells which one an event is. */
export function mergedFile(
  text: string,
  ours: ICAL.Component,
  {
    events,
    occurrenceOf,
  }: { events: OurEvent[]; occurrenceOf: (event: ICAL.Component) => string | undefined },
): string {
  const theirs = parseCalendar(text);
  const known = new Map(theirs.getAllSubcomponents('vevent').map((each) => [occurrenceOf(each), each]));
  for (const event of events) {
    const there = known.get(event.occurrence);
    if (there) mergeEvent(there, event);
    else {
      const added = new ICAL.Component(structuredClone(event.component.toJSON()) as never);
      withoutLonePerson(added);
      theirs.addSubcomponent(added);
    }
  }
  addZones(theirs, ours);
  return ended(theirs);
}

/** Exceptions that the series leaves out are no events any more. */
export function withoutExceptions(text: string, gone: (event: ICAL.Component) => boolean): string {
  const theirs = parseCalendar(text);
  for (const event of theirs.getAllSubcomponents('vevent')) if (gone(event)) theirs.removeSubcomponent(event);
  return ended(theirs);
}
