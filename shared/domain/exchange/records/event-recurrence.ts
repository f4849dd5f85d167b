import ICAL from 'ical.js';
import { invalidField } from '#shared/errors.ts';
import { type Clocks, zoneIn } from './event-moments.ts';
import { every, type Property, type VEvent } from './vevent.ts';

/** The lines by which an event of a file repeats, as a request sends them. */

/** Characters of a line: as many dates as fit. */
const LINE = 1_000;

const basic = (text: string) => text.replace(/[-:]/g, '');

/** Of a period, only its start: all occurrences are as long as the first. */
const stampOf = (value: unknown) => basic(`${Array.isArray(value) ? value[0] : value}`);

function parametersOf(property: Property, clocks: Clocks, stamp: string): string {
  if (stamp.length === 8) return ';VALUE=DATE';
  return stamp.endsWith('Z') ? '' : `;TZID=${zoneIn(property, clocks)}`;
}

function ruleOf({ values }: Property): string {
  try {
    return `RRULE:${ICAL.Recur.fromData(values[0] as Record<string, unknown>).toString()}`;
  } catch {
    throw invalidField('recurrence', 'invalid', 'has a rule that cannot be read');
  }
}

/** Programs write a line for each date: here, as few lines as possible. */
function datesOf(name: string, properties: Property[], clocks: Clocks): string[] {
  const lines = new Map<string, string[]>();
  for (const property of properties)
    for (const stamp of property.values.map(stampOf)) {
      const head = `${name}${parametersOf(property, clocks, stamp)}:`;
      const known = lines.get(head) ?? [];
      const last = known.at(-1);
      if (last !== undefined && head.length + last.length + 1 + stamp.length <= LINE)
        known[known.length - 1] = `${last},${stamp}`;
      else known.push(stamp);
      lines.set(head, known);
    }
  return [...lines].flatMap(([head, texts]) => texts.map((text) => head + text));
}

/** Undefined for an event that does not repeat. 400 for rules that exclude. */
export function recurrenceIn(event: VEvent, clocks: Clocks): string[] | undefined {
  const rules = every(event, 'rrule');
  const added = every(event, 'rdate');
  if (rules.length === 0 && added.length === 0) return undefined;
  if (event.has('exrule')) throw invalidField('recurrence', 'invalid', 'has a rule that excludes dates');
  return [
    ...rules.map(ruleOf),
    ...datesOf('EXDATE', every(event, 'exdate'), clocks),
    ...datesOf('RDATE', added, clocks),
  ];
}
