import { Temporal } from 'temporal-polyfill';
import {
  type ClockChange,
  clockChangesIn,
  offsetOf,
  weekdaysOf,
} from '#shared/domain/exchange/formats/zone-changes.ts';

/** A VTIMEZONE that says what clocks of a zone do from now on (RFC 5545, 3.6.5). */

/** Years that a rule must agree with, the last one before now. */
const YEARS = 6;

const stamp = (at: Temporal.PlainDateTime) => at.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');

const observance = (change: ClockChange, since: string, rule: string[]): string[] => {
  const name = change.daylight ? 'DAYLIGHT' : 'STANDARD';
  const offsets = [`TZOFFSETFROM:${change.from}`, `TZOFFSETTO:${change.to}`];
  return [`BEGIN:${name}`, `DTSTART:${since}`, ...offsets, ...rule, `END:${name}`];
};

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The day of a rule in 1970, from which on programs count. */
function firstOf({ at }: ClockChange, weekday: string): string {
  const first = Temporal.PlainDate.from({ year: 1970, month: at.month, day: 1 });
  const days = Array.from({ length: first.daysInMonth }, (_, i) => first.add({ days: i }));
  const matching = days.filter((day) => DAYS[day.dayOfWeek - 1] === weekday.slice(-2));
  const day = matching.at(weekday.startsWith('-1') ? -1 : Number(weekday[0]) - 1);
  return stamp((day ?? first).toPlainDateTime(at.toPlainTime()));
}

/** The rule that a change follows in all of these years; undefined when it follows none. */
function ruleOf(changes: ClockChange[]): string[] | undefined {
  const [first] = changes;
  if (!first || changes.length < YEARS) return undefined;
  const same = changes.every(
    ({ at, from, to }) =>
      at.month === first.at.month &&
      at.toPlainTime().equals(first.at.toPlainTime()) &&
      from === first.from &&
      to === first.to,
  );
  const weekday = weekdaysOf(first).find((each) =>
    changes.every((change) => weekdaysOf(change).includes(each)),
  );
  if (!same || weekday === undefined) return undefined;
  const rule = [`RRULE:FREQ=YEARLY;BYMONTH=${first.at.month};BYDAY=${weekday}`];
  return observance(first, firstOf(first, weekday), rule);
}

function observancesOf(zone: string, year: number): string[] {
  const all = Array.from({ length: YEARS }, (_, i) => clockChangesIn(zone, year - 1 + i)).flat();
  const offset = offsetOf(zone, year);
  if (all.length === 0)
    return [
      ...['BEGIN:STANDARD', 'DTSTART:19700101T000000', `TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`],
      'END:STANDARD',
    ];
  const rules = [true, false].map((daylight) => ruleOf(all.filter((each) => each.daylight === daylight)));
  const [forward, back] = rules;
  if (forward && back) return [...forward, ...back];
  return all.flatMap((change) => observance(change, stamp(change.at), []));
}

export function vtimezoneOf(zone: string, now: Date): string {
  const lines = [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...observancesOf(zone, now.getUTCFullYear()),
    'END:VTIMEZONE',
  ];
  return `${lines.join('\r\n')}\r\n`;
}
