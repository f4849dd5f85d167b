import { Temporal } from 'temporal-polyfill';
import { invalidField } from '#shared/errors.ts';
import { isTimeZone } from '#shared/time-zone.ts';

/** Lines of RFC 5545 (3.8.5) that say when a series repeats, as they are stored and shown: with their names. */

/** A day, or a moment as the series' own time zone has it. */
export type Named = Temporal.PlainDate | Temporal.PlainDateTime;

export interface Recurrence {
  /** The parts of its rule, if it has one. */
  rule: Record<string, string> | undefined;
  added: Named[];
  excluded: Named[];
}

const refused = (message: string) => invalidField('recurrence', 'invalid', message);

const LINE = /^(RRULE(?=:)|EXDATE|RDATE)((?:;[A-Z-]+=[^:;]+)*):(.+)$/;

/** As shown: in upper case, and with its name. Time zones keep their case. */
export function normalLine(sent: string): string {
  const line = sent.trim();
  const named = /^freq=/i.test(line) ? `RRULE:${line}` : line;
  return named
    .replace(/^[^:;]*/, (name) => name.toUpperCase())
    .replace(/^(RRULE[:;].*)$/s, (rule) => rule.toUpperCase());
}

const listOf = (one: string) => new RegExp(`^${one}(,${one})*$`);

/** Up to 999. */
const NUMBER = /^0*[1-9]\d{0,2}$/;

/** Rules repeat by days at the most: others would name any number of moments in a day. */
const PARTS: Record<string, RegExp> = {
  FREQ: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: NUMBER,
  COUNT: NUMBER,
  UNTIL: /^\d{8}(T\d{6}Z?)?$/,
  BYDAY: listOf('([+-]?0?[1-9]|[+-]?[1-4]\\d|[+-]?5[0-3])?(MO|TU|WE|TH|FR|SA|SU)'),
  BYMONTHDAY: listOf('[+-]?(0?[1-9]|[12]\\d|3[01])'),
  BYYEARDAY: listOf('[+-]?[1-9]\\d{0,2}'),
  BYWEEKNO: listOf('[+-]?[1-9]\\d?'),
  BYMONTH: listOf('(0?[1-9]|1[0-2])'),
  BYSETPOS: listOf('[+-]?[1-9]\\d{0,2}'),
  WKST: /^(MO|TU|WE|TH|FR|SA|SU)$/,
};

function readRule(value: string): Record<string, string> {
  const pairs = value.split(';').map((part) => part.split('=') as [string, string]);
  const rule = Object.fromEntries(pairs);
  if (Object.keys(rule).length < pairs.length) throw refused('names a part of its rule twice');
  for (const [name, text = ''] of pairs) {
    const allowed = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
    if (!allowed) throw refused(`has the part ${name}: rules repeat by days, weeks, months or years`);
    if (allowed.test(text)) continue;
    const reason =
      allowed === NUMBER ? 'it is from 1 to 999' : 'rules repeat daily, weekly, monthly or yearly';
    throw refused(`has ${name}=${text}: ${reason}`);
  }
  if (rule.FREQ === undefined) throw refused('has a rule without FREQ');
  if (rule.COUNT !== undefined && rule.UNTIL !== undefined) throw refused('has both COUNT and UNTIL');
  return rule;
}

const STAMP = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/;

/** A DATE or DATE-TIME value, in the time zone of the series. `from` is the one that it is written in. */
export function readStamp(text: string, zone: string, from = zone): Named {
  const [, year, month, day, hour, minute, second, utc] = STAMP.exec(text) ?? [];
  try {
    const date = Temporal.PlainDate.from(`${year}-${month}-${day}`, { overflow: 'reject' });
    if (hour === undefined) return date;
    const local = date.toPlainDateTime(Temporal.PlainTime.from(`${hour}:${minute}:${second}`));
    const own = utc === 'Z' ? 'UTC' : from;
    return own === zone ? local : local.toZonedDateTime(own).withTimeZone(zone).toPlainDateTime();
  } catch {
    throw refused(`has ${text.slice(0, 32)}, which is no date or time`);
  }
}

function readStamps(parameters: string, value: string, zone: string): Named[] {
  const given = new Map(
    parameters
      .split(';')
      .filter(Boolean)
      .map((each) => each.split('=') as [string, string]),
  );
  const kind = given.get('VALUE');
  if (kind !== undefined && kind !== 'DATE' && kind !== 'DATE-TIME')
    throw refused(`has values of type ${kind}`);
  const from = given.get('TZID') ?? zone;
  if (!isTimeZone(from)) throw refused(`has the time zone ${from}, which is unknown`);
  return value.split(',').map((each) => readStamp(each.trim(), zone, from));
}

/** 400 for lines that are none of these, or that would repeat within a day. */
export function readRecurrence(lines: string[], zone: string): Recurrence {
  const found: Recurrence = { rule: undefined, added: [], excluded: [] };
  for (const line of lines) {
    const [, name, parameters = '', value = ''] = LINE.exec(line) ?? [];
    if (name === undefined) throw refused('has lines RRULE, EXDATE and RDATE of RFC 5545');
    if (name === 'RRULE') {
      if (found.rule) throw refused('has one RRULE at most');
      found.rule = readRule(value);
    } else (name === 'RDATE' ? found.added : found.excluded).push(...readStamps(parameters, value, zone));
  }
  if (!found.rule && found.added.length === 0) throw refused('has neither a rule nor further dates');
  return found;
}

/** Whether the rule names days itself, which do not move with the first one. */
export const namesDays = (rule: Record<string, string> | undefined) =>
  Object.keys(rule ?? {}).some((name) => name.startsWith('BY'));

const partsOf = (line: string) => line.slice('RRULE:'.length).split(';');

/** The rule with another end: `UNTIL=20261231` or `COUNT=5`. */
export function endingWith(lines: string[], end: string): string[] {
  return lines.map((line) => {
    if (!line.startsWith('RRULE')) return line;
    const rest = partsOf(line).filter((part) => !/^(COUNT|UNTIL)=/.test(part));
    return `RRULE:${[...rest, end].join(';')}`;
  });
}

/** The rule with its UNTIL as `change` makes it. */
export const withUntil = (lines: string[], change: (stamp: string) => string): string[] =>
  lines.map((line) =>
    line.startsWith('RRULE') ? line.replace(/(?<=[:;]UNTIL=)[^;]+/, (stamp) => change(stamp)) : line,
  );

/** How often the rule counts that it repeats; undefined when it does not count. */
export const countOf = (lines: string[]): number | undefined =>
  lines
    .flatMap((line) => (line.startsWith('RRULE') ? (/COUNT=(\d+)/.exec(line)?.[1] ?? []) : []))
    .map(Number)[0];

/**
 * The dates and times of EXDATE and RDATE lines as `change` makes them, which knows the time zone that the line names; a
 * line without any is left out.
 */
export function withStamps(
  lines: string[],
  change: (stamp: string, zone: string | undefined) => string[],
): string[] {
  return lines.flatMap((line) => {
    if (line.startsWith('RRULE')) return [line];
    const at = line.indexOf(':') + 1;
    const zone = /;TZID=([^:;]+)/.exec(line.slice(0, at))?.[1];
    const stamps = line
      .slice(at)
      .split(',')
      .flatMap((stamp) => change(stamp.trim(), zone));
    return stamps.length > 0 ? [`${line.slice(0, at)}${stamps.join(',')}`] : [];
  });
}

const dayOf = (named: Named) => (named instanceof Temporal.PlainDate ? named : named.toPlainDate());

/** Those of one part of a series that is divided at a day. `zone` is that of the series, in which they have their days. */
export const onlyDays = (
  lines: string[],
  zone: string,
  keeps: (day: Temporal.PlainDate) => boolean,
): string[] =>
  withStamps(lines, (stamp, written) => (keeps(dayOf(readStamp(stamp, zone, written))) ? [stamp] : []));
