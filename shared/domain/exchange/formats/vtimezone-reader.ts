import ICAL from 'ical.js';
import { zoneOf } from './time-zones.ts';
import { windowsZones } from './windows-zones.ts';
import { clockChangesIn, offsetOf, weekdaysOf } from './zone-changes.ts';

/**
 * Finds the time zone that a VTIMEZONE describes, by the rule that it has now: series need one that knows all years.
 * Only its last rules are looked at; nothing is counted, so no rule takes long.
 */

/** The rules of a zone whose clocks change twice a year; one without changes. */
interface Observance {
  daylight: boolean;
  since: string;
  offset: string;
  month: number | undefined;
  weekday: string | undefined;
}

type JcalProperty = [string, Record<string, string>, string, ...unknown[]];
type JcalComponent = [string, JcalProperty[], JcalComponent[]];

const valueIn = ([, properties]: JcalComponent, name: string) =>
  properties.find(([each]) => each === name)?.[3];

const one = (value: unknown) => [value].flat()[0];

function observanceOf(component: JcalComponent): Observance {
  const rule = valueIn(component, 'rrule') as { bymonth?: number; byday?: string } | undefined;
  const since = `${valueIn(component, 'dtstart') ?? ''}`;
  return {
    daylight: component[0] === 'daylight',
    since,
    offset: `${valueIn(component, 'tzoffsetto') ?? ''}`.replaceAll(':', ''),
    month: rule ? Number(one(rule.bymonth)) : undefined,
    weekday: rule ? `${one(rule.byday)}` : undefined,
  };
}

/** The rules that it has now. */
interface Rules {
  standard: Observance | undefined;
  daylight: Observance | undefined;
  last: Observance | undefined;
}

const newest = (observances: Observance[]) => observances.toSorted((a, b) => (a.since < b.since ? 1 : -1))[0];

function rulesOf(observances: Observance[]): Rules {
  const yearly = observances.filter(({ month }) => month !== undefined);
  const newestOf = (daylight: boolean) => newest(yearly.filter((each) => each.daylight === daylight));
  return { standard: newestOf(false), daylight: newestOf(true), last: newest(observances) };
}

/** What rules are compared with. */
interface Clocks {
  zone: string;
  /** On the first of January: all year where clocks do not change. */
  offset: string;
  changes: { daylight: boolean; to: string; month: number; weekdays: string[] }[];
}

/** Those of Windows have a zone for each way in which clocks change. */
const candidates = [...new Set(windowsZones.values())];

const clocksOf = (zone: string, year: number): Clocks => ({
  zone,
  offset: offsetOf(zone, year),
  changes: clockChangesIn(zone, year).map((change) => ({
    daylight: change.daylight,
    to: change.to,
    month: change.at.month,
    weekdays: weekdaysOf(change),
  })),
});

let known: { year: number; clocks: Clocks[] } | undefined;

/** Computed once: they take some 200 ms together, and a file may have a zone for each of its events. */
function clocksIn(year: number): Clocks[] {
  if (known?.year !== year) known = { year, clocks: candidates.map((zone) => clocksOf(zone, year)) };
  return known.clocks;
}

function agrees({ offset, changes }: Clocks, { standard, daylight, last }: Rules): boolean {
  if (!standard || !daylight) return changes.length === 0 && offset === last?.offset;
  return (
    changes.length === 2 &&
    changes.every((change) => {
      const rule = change.daylight ? daylight : standard;
      const same = rule.offset === change.to && rule.month === change.month;
      return same && change.weekdays.includes(rule.weekday?.replace('+', '') ?? '');
    })
  );
}

function parsed(text: string): JcalComponent | undefined {
  try {
    return ICAL.parse(text) as JcalComponent;
  } catch {
    return undefined;
  }
}

/** Undefined for rules that no zone has. */
export function zoneOfRules(text: string, year = new Date().getUTCFullYear()) {
  const component = parsed(text);
  if (!component) return undefined;
  const name = `${valueIn(component, 'tzid') ?? ''}`;
  const named = valueIn(component, 'x-lic-location');
  const rules = rulesOf(component[2].map(observanceOf));
  const located = named === undefined ? undefined : zoneOf(`${named}`);
  const zone = located ?? clocksIn(year).find((each) => agrees(each, rules))?.zone;
  return name === '' || zone === undefined ? undefined : { name, zone };
}
