import { Temporal } from 'temporal-polyfill';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { daysOf } from '#shared/domain/calendar/calendar-events/load.ts';
import { type Named, readRecurrence, readStamp } from '#shared/domain/calendar/calendar-events/recurrence.ts';
import { type Property, written } from './properties.ts';

/** How a series repeats, as other programs read it: dates are of the type and in the zone of its start. */

const LAST_MOMENT = Temporal.PlainTime.from('23:59:59');

/** The end of a series with times is one in UTC (RFC 5545, 3.3.10). */
function untilOf(until: string, { all_day }: CalendarEvent, zone: string): string {
  const named = readStamp(until, zone);
  const day = named instanceof Temporal.PlainDate ? named : named.toPlainDate();
  if (all_day) return day.toString();
  const local = named instanceof Temporal.PlainDate ? day.toPlainDateTime(LAST_MOMENT) : named;
  return new Date(local.toZonedDateTime(zone).epochMilliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}

const basic = (text: string) => text.replace(/[-:]/g, '');

function ruleOf(series: CalendarEvent, rule: Record<string, string>, zone: string): Property {
  const parts = Object.entries(rule).map(([name, value]) =>
    name === 'UNTIL' ? `UNTIL=${basic(untilOf(value, series, zone))}` : `${name}=${value}`,
  );
  return written(`RRULE:${parts.join(';')}`);
}

/** `left_out` are occurrences that are deleted, or hidden from who reads. */
export function recurrenceOf(series: CalendarEvent, left_out: Temporal.PlainDateTime[]): Property[] {
  if (series.recurrence === null) return [];
  const { zone, first } = daysOf(series);
  const { rule, added, excluded } = readRecurrence(series.recurrence, zone);
  const dates = (name: string, all: Named[]): Property[] => {
    const texts = all.map((named) => {
      if (series.all_day) return named.toString().slice(0, 10);
      const local = named instanceof Temporal.PlainDate ? named.toPlainDateTime(first.toPlainTime()) : named;
      return local.toString({ smallestUnit: 'second' });
    });
    if (texts.length === 0) return [];
    return [series.all_day ? [name, {}, 'date', ...texts] : [name, { tzid: zone }, 'date-time', ...texts]];
  };
  return [
    ...(rule ? [ruleOf(series, rule, zone)] : []),
    ...dates('rdate', added),
    ...dates('exdate', [...excluded, ...left_out]),
  ];
}
