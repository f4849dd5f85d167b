import { Temporal } from 'temporal-polyfill';
import { clockIn } from '#shared/days.ts';
import { invalidField } from '#shared/errors.ts';
import type { CalendarEvent } from './event.ts';
import type { OccurrenceKey } from './occurrence-id.ts';
import { type Named, type Recurrence, readRecurrence, readStamp } from './recurrence.ts';
import { MAX_YEARS, RuleDays } from './rule.ts';

/** When the occurrences of a series are. */

export type Times = Pick<
  CalendarEvent,
  'starts_at' | 'ends_at' | 'all_day' | 'starts_on' | 'ends_on' | 'time_zone'
>;

export type Day = Temporal.PlainDate;

const { compare } = Temporal.PlainDate;
export const earlier = (a: Day, b: Day) => (compare(a, b) < 0 ? a : b);
export const later = (a: Day, b: Day) => (compare(a, b) > 0 ? a : b);

const iso = (moment: { epochMilliseconds: number }) => new Date(moment.epochMilliseconds).toISOString();

/** Years that are worked out together: within the number of days that the library looks at. */
const YEARS_AT_ONCE = 8;

/** Keys have years of four digits, and so have the moments that responses show. */
const LAST_DAY = Temporal.PlainDate.from('9999-12-31');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** Of a series that ended to be one: its exceptions stay. */
const notRepeating: Recurrence = { rule: undefined, added: [], excluded: [] };

type SeriesTimes = Times & Pick<CalendarEvent, 'recurrence' | 'last_on' | 'shift_days' | 'apart'>;

export class SeriesDays {
  readonly zone: string;
  readonly first: Temporal.PlainDateTime;
  readonly #series: SeriesTimes;
  readonly #recurrence: Recurrence;
  readonly #rule: RuleDays | undefined;
  readonly #excluded: Set<OccurrenceKey>;
  readonly #added: Map<OccurrenceKey, Temporal.PlainDateTime>;

  constructor(series: SeriesTimes) {
    this.#series = series;
    this.zone = series.time_zone ?? 'UTC';
    this.first = clockIn(this.zone, new Date(series.starts_at)).toPlainDateTime();
    this.#recurrence =
      series.recurrence === null ? notRepeating : readRecurrence(series.recurrence, this.zone);
    const { rule, added, excluded } = this.#recurrence;
    this.#rule = rule && new RuleDays(rule, this.first.toPlainDate());
    this.#added = new Map(added.map((each) => [this.keyOf(each), this.#momentOn(each)]));
    const excludedKeys = excluded.map((each) => this.keyOf(each));
    // The time may be that which the series had before: then the day counts.
    this.#excluded = new Set(excludedKeys.map((key) => (this.#added.has(key) ? key : key.slice(0, 10))));
  }

  #momentOn(named: Named): Temporal.PlainDateTime {
    return named instanceof Temporal.PlainDate ? named.toPlainDateTime(this.first.toPlainTime()) : named;
  }

  /** Of a day or moment that a file or a line names. */
  keyOf(named: Named): OccurrenceKey {
    const { shift_days = 0, all_day } = this.#series;
    const moment = this.#momentOn(named);
    const day = moment.toPlainDate().subtract({ days: shift_days }).toString();
    const own = !all_day && !moment.toPlainTime().equals(this.first.toPlainTime());
    return own ? `${day}T${moment.toPlainTime().toString({ smallestUnit: 'minute' })}` : day;
  }

  #momentOf(key: OccurrenceKey): Temporal.PlainDateTime {
    const { shift_days = 0 } = this.#series;
    const added = this.#added.get(key);
    if (added) return added;
    const day = Temporal.PlainDate.from(key.slice(0, 10)).add({ days: shift_days });
    return day.toPlainDateTime(
      key.length > 10 ? Temporal.PlainTime.from(key.slice(11)) : this.first.toPlainTime(),
    );
  }

  /** The last day by the rule. 400 for a rule that names no day, or too few. */
  lastDay(): Day {
    const first = this.first.toPlainDate();
    const { rule } = this.#recurrence;
    if (!rule || !this.#rule) return first;
    const end = later(earlier(first.add({ years: MAX_YEARS }), this.#lastPossible()), first);
    if (rule.COUNT !== undefined) return earlier(this.#rule.nth(Number(rule.COUNT)), end);
    if (rule.UNTIL === undefined) {
      this.#rule.nth(2);
      return end;
    }
    const until = readStamp(rule.UNTIL, this.zone);
    if (until instanceof Temporal.PlainDate) return later(earlier(until, end), first);
    const day = until.toPlainDate();
    const before = Temporal.PlainTime.compare(until.toPlainTime(), this.first.toPlainTime()) < 0;
    return later(earlier(before ? day.subtract({ days: 1 }) : day, end), first);
  }

  /** The last day on which an occurrence at the usual time has a key, and ends within the year 9999. */
  #lastPossible(): Day {
    const { starts_at, ends_at, starts_on, ends_on, shift_days = 0 } = this.#series;
    const withKey = LAST_DAY.add({ days: Math.min(shift_days, 0) });
    if (starts_on !== null && ends_on !== null) {
      const last = clockIn(this.zone, new Date(LAST_MOMENT)).toPlainDate();
      return earlier(last.subtract(Temporal.PlainDate.from(starts_on).until(ends_on)), withKey);
    }
    const length = Date.parse(ends_at) - Date.parse(starts_at);
    const start = clockIn(this.zone, new Date(LAST_MOMENT - length));
    const before = Temporal.PlainTime.compare(start.toPlainTime(), this.first.toPlainTime()) < 0;
    return earlier(start.toPlainDate().subtract({ days: before ? 1 : 0 }), withKey);
  }

  /** Whether it names an occurrence that has no key, or ends later than responses can say. Rules end before. */
  get namesTooLate(): boolean {
    const keys = [...this.#added.keys(), ...(this.#series.apart ?? [])];
    return keys.some(
      (key) => compare(this.dayOf(key), LAST_DAY) > 0 || Date.parse(this.timesOf(key).ends_at) > LAST_MOMENT,
    );
  }

  get #last(): Day {
    const { last_on } = this.#series;
    return last_on === undefined ? this.lastDay() : Temporal.PlainDate.from(last_on);
  }

  /** The keys of all occurrences on these days, both included, in the order of their moments. */
  keysBetween(from: Day, to: Day): OccurrenceKey[] {
    const days = this.#rule ? this.#ruleDays(from, earlier(to, this.#last)) : this.#firstOnly(from, to);
    const added = [...this.#added].filter(([, moment]) => {
      const day = moment.toPlainDate();
      return compare(day, from) >= 0 && compare(day, to) <= 0;
    });
    const keys = new Set([...days.map((day) => this.keyOf(day)), ...added.map(([key]) => key)]);
    return [...keys]
      .filter((key) => !this.#excluded.has(key))
      .sort((a, b) => Temporal.PlainDateTime.compare(this.#momentOf(a), this.#momentOf(b)));
  }

  #firstOnly(from: Day, to: Day): Day[] {
    const first = this.first.toPlainDate();
    return compare(first, from) >= 0 && compare(first, to) <= 0 ? [first] : [];
  }

  #ruleDays(from: Day, to: Day): Day[] {
    const days: Day[] = [];
    let start = later(from, this.first.toPlainDate());
    while (compare(start, to) <= 0) {
      const end = earlier(start.add({ years: YEARS_AT_ONCE }), to);
      days.push(...(this.#rule?.between(start, end) ?? []));
      start = end.add({ days: 1 });
    }
    return days;
  }

  /** Whether a series that begins with this occurrence has the later ones: all but dates that were added to a rule. */
  goesOnFrom(key: OccurrenceKey): boolean {
    const day = this.dayOf(key);
    return !this.#rule || this.#ruleDays(day, earlier(day, this.#last)).length > 0;
  }

  /** The day of an occurrence. */
  dayOf(key: OccurrenceKey): Day {
    return this.#momentOf(key).toPlainDate();
  }

  /** Whether the series has an occurrence with this key, which may be stored or deleted. */
  has(key: OccurrenceKey): boolean {
    const day = this.#momentOf(key).toPlainDate();
    return this.keysBetween(day, day).includes(key);
  }

  /** The first and the last day with occurrences. */
  get span(): { from: Day; to: Day } {
    const days = [...this.#added.values()].map((moment) => moment.toPlainDate());
    const first = this.first.toPlainDate();
    return { from: days.reduce(earlier, first), to: days.reduce(later, this.#last) };
  }

  /**
   * The times of an occurrence. Where clocks skip the local time, it is as much later, and where they repeat it, the
   * first of both counts. A timed one is as long as the first; an all-day one has as many days.
   */
  timesOf(key: OccurrenceKey): Times {
    const { starts_at, ends_at, all_day, starts_on, ends_on, time_zone } = this.#series;
    const moment = this.#momentOf(key);
    if (all_day && starts_on !== null && ends_on !== null) {
      const day = moment.toPlainDate();
      const length = Temporal.PlainDate.from(starts_on).until(ends_on).days;
      const end = day.add({ days: length });
      const at = (each: Day) => iso(each.toZonedDateTime(this.zone).startOfDay());
      return {
        ...{ starts_at: at(day), ends_at: at(end), all_day, time_zone },
        ...{ starts_on: day.toString(), ends_on: end.toString() },
      };
    }
    const starts = moment.toZonedDateTime(this.zone, { disambiguation: 'compatible' });
    const length = Date.parse(ends_at) - Date.parse(starts_at);
    const ends = { epochMilliseconds: starts.epochMilliseconds + length };
    return { starts_at: iso(starts), ends_at: iso(ends), all_day, starts_on: null, ends_on: null, time_zone };
  }
}

/** 400 for a series without a time zone, whose rule names no days, or that goes on after the year 9999. */
export function checkedSeries<E extends CalendarEvent>(event: E): E {
  if (event.recurrence === null) {
    const { last_on, ...single } = event;
    return single as E;
  }
  if (event.time_zone === null) throw invalidField('time_zone', 'required', 'is required for a series');
  const length = Date.parse(event.ends_at) - Date.parse(event.starts_at);
  if (length > 366 * 86_400_000)
    throw invalidField('ends_at', 'invalid', 'ends more than a year later: a series has shorter events');
  const { last_on, ...rest } = event;
  const tooLate = invalidField('recurrence', 'invalid', 'has an occurrence after the year 9999');
  const first = clockIn(event.time_zone, new Date(event.starts_at)).toPlainDate();
  if (compare(first, LAST_DAY) > 0) throw tooLate;
  const days = new SeriesDays(rest as unknown as CalendarEvent);
  if (days.namesTooLate) throw tooLate;
  return { ...rest, last_on: days.lastDay().toString() } as E;
}
