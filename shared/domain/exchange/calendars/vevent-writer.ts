import { Temporal } from 'temporal-polyfill';
import { seesDetails, type Viewer } from '#shared/domain/calendar/calendar-events/access.ts';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { plainOccurrence } from '#shared/domain/calendar/calendar-events/load.ts';
import { answerOf } from '#shared/domain/calendar/calendar-events/own.ts';
import { touchedAt } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import { htmlToText } from '#shared/domain/platform/html/text.ts';
import { component, moment, type Property, text } from './properties.ts';
import { recurrenceOf } from './written-recurrence.ts';

/** An event as a VEVENT, as somebody sees it (RFC 5545, 3.6.1). */

type When = Pick<CalendarEvent, 'starts_at' | 'starts_on' | 'time_zone'>;

/** A day, a local time in the zone of the event, or a time in UTC. */
function whenOf(name: string, { at, on }: { at: string; on: string | null }, zone: string | null): Property {
  if (on !== null) return [name, {}, 'date', on];
  if (zone === null || zone === 'UTC') return moment(name, at);
  const zoned = Temporal.Instant.from(at).toZonedDateTimeISO(zone);
  const local = zoned.toPlainDateTime();
  // A clock that is set back shows an hour twice, and a local time means the first (RFC 5545, 3.3.5).
  if (!local.toZonedDateTime(zone).equals(zoned)) return moment(name, at);
  return [name, { tzid: zone }, 'date-time', local.toString({ smallestUnit: 'second' })];
}

const startOf = (name: string, { starts_at, starts_on, time_zone }: When) =>
  whenOf(name, { at: starts_at, on: starts_on }, time_zone);

const answers = {
  needs_action: 'NEEDS-ACTION',
  accepted: 'ACCEPTED',
  declined: 'DECLINED',
  tentative: 'TENTATIVE',
};

const named = (name: string | undefined): Record<string, string> => (name ? { cn: name } : {});

function peopleOf(event: CalendarEvent): Property[] {
  const organizer = event.organizer_email_address;
  const known = event.attendees.find(({ email_address }) => email_address === organizer);
  return [
    ['organizer', named(known?.user?.name), 'cal-address', `mailto:${organizer}`],
    ...event.attendees.map((attendee): Property => {
      const role = attendee.optional ? 'OPT-PARTICIPANT' : 'REQ-PARTICIPANT';
      const parameters = {
        ...named(attendee.user?.name),
        role,
        partstat: answers[answerOf(event, attendee)],
      };
      return ['attendee', parameters, 'cal-address', `mailto:${attendee.email_address}`];
    }),
  ];
}

/** Programs read the HTML as escaped text. */
const escaped = (html: string) => html.replace(/([\\;,])/g, '\\$1').replace(/\r?\n/g, '\\n');

function detailsOf(event: CalendarEvent): Property[] {
  const { description_html: html, conference_url: link } = event;
  return [
    ...text('summary', event.name),
    ...text('description', html && htmlToText(html)),
    ...(html === null
      ? []
      : [['x-alt-desc', { fmttype: 'text/html' }, 'unknown', escaped(html)] as Property]),
    ...text('location', event.location),
    ...(link === null
      ? []
      : ([
          ['conference', { feature: 'VIDEO' }, 'uri', link],
          ['url', {}, 'uri', link],
        ] as Property[])),
    ...peopleOf(event),
  ];
}

const busy: Property[] = [['summary', {}, 'text', 'Busy']];

export interface Writing {
  viewer: Viewer;
  /** Of an occurrence. */
  series?: CalendarEvent | undefined;
  /** Of a series: occurrences that are deleted, or hidden from the viewer. */
  left_out?: Temporal.PlainDateTime[];
}

/** The same for a series and its exceptions. A UID may say what it is about, as one of a clinic does. */
const uidOf = (whole: CalendarEvent, viewer: Viewer) =>
  seesDetails(viewer, whole) ? whole.ical_uid : whole.id;

export function veventOf(event: CalendarEvent, { viewer, series, left_out = [] }: Writing): string {
  const { starts_at, ends_at, ends_on, time_zone } = event;
  const touched = touchedAt(event);
  return component('vevent', [
    ...text('uid', uidOf(series ?? event, viewer)),
    moment('dtstamp', touched),
    moment('created', event.created_at),
    moment('last-modified', touched),
    ['sequence', {}, 'integer', (series ?? event).file?.sequence ?? 0],
    ...(series ? [startOf('recurrence-id', plainOccurrence(series, event.original_key ?? ''))] : []),
    startOf('dtstart', { ...event, starts_at }),
    whenOf('dtend', { at: ends_at, on: ends_on }, time_zone),
    ...recurrenceOf(event, left_out),
    ...text('status', event.status.toUpperCase()),
    ...(event.private ? text('class', 'PRIVATE') : []),
    ...(seesDetails(viewer, event) ? detailsOf(event) : busy),
  ]);
}
