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

function lastOf(observances: Observance[], daylight: boolean): Observance | undefined {
  const those = observances.filter((each) => each.daylight === daylight && each.month !== undefined);
  return those.sort((a, b) => (a.since < b.since ? 1 : -1))[0];
}

function agrees(zone: string, year: number, all: Observance[]): boolean {
  const changes = clockChangesIn(zone, year);
  const [standard, daylight] = [lastOf(all, false), lastOf(all, true)];
  if (!standard || !daylight) {
    const last = [...all].sort((a, b) => (a.since < b.since ? 1 : -1))[0];
    return changes.length === 0 && offsetOf(zone, year) === last?.offset;
  }
  return (
    changes.length === 2 &&
    changes.every((change) => {
      const rule = change.daylight ? daylight : standard;
      const same = rule.offset === change.to && rule.month === change.at.month;
      return same && weekdaysOf(change).includes(rule.weekday?.replace('+', '') ?? '');
    })
  );
}

/** Those of Windows have a zone for each way in which clocks change. */
const candidates = [...new Set(windowsZones.values())];

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
  const observances = component[2].map(observanceOf);
  const known = named === undefined ? undefined : zoneOf(`${named}`);
  const zone = known ?? candidates.find((each) => agrees(each, year, observances));
  return name === '' || zone === undefined ? undefined : { name, zone };
}
