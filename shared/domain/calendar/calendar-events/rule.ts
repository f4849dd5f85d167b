import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { invalidField } from '#shared/errors.ts';

/**
 * The days that a rule names. Rules are worked out on days alone, without a time zone: the moments of a day follow from
 * the zone of the series (occurrences.ts; docs/decisions/0040).
 */

/** Years that a series lasts: nobody plans further, and it bounds what a page may have to work out. */
export const MAX_YEARS = 100;

const noon = (day: Temporal.PlainDate) => new Date(`${day.toString()}T00:00:00Z`);

/** Its year may have more than four digits. */
const dayOf = (date: { toString(): string }) => Temporal.PlainDate.from(date.toString().replace(/T.*/, ''));

/** Without its end, which the series keeps as a day. */
function endless(rule: Record<string, string>, first: Temporal.PlainDate) {
  const parts = Object.entries(rule).filter(([name]) => name !== 'COUNT' && name !== 'UNTIL');
  const start = first.toString().replaceAll('-', '');
  const text = parts.map(([name, value]) => `${name}=${value}`).join(';');
  return new RRuleTemporal({
    rruleString: `DTSTART:${start}T000000Z\nRRULE:${text}`,
    strict: true,
    cache: false,
  });
}

/** The days that follow a rule from its first day on, which always counts (RFC 5545, 3.8.5.3). */
export class RuleDays {
  readonly #first: Temporal.PlainDate;
  readonly #rule: RRuleTemporal;

  /** 400 for a rule that makes no sense, such as the 13th month. */
  constructor(rule: Record<string, string>, first: Temporal.PlainDate) {
    this.#first = first;
    try {
      this.#rule = endless(rule, first);
    } catch (error) {
      throw invalidField(
        'recurrence',
        'invalid',
        `has a rule that is not valid: ${(error as Error).message}`,
      );
    }
  }

  /** In order, both ends included; few years at a time. */
  between(from: Temporal.PlainDate, to: Temporal.PlainDate): Temporal.PlainDate[] {
    const first = Temporal.PlainDate.compare(from, this.#first) <= 0 ? [this.#first] : [];
    const days = this.#rule.between(noon(from), noon(to), true).map(dayOf);
    const later = days.filter((day) => Temporal.PlainDate.compare(day, this.#first) > 0);
    return Temporal.PlainDate.compare(to, this.#first) < 0 ? [] : [...first, ...later];
  }

  /** The last of the first `count` days. 400 when the rule names too few. */
  nth(count: number): Temporal.PlainDate {
    let last = this.#first;
    let found = 1;
    try {
      this.#rule.all((date) => {
        const day = dayOf(date);
        if (Temporal.PlainDate.compare(day, this.#first) > 0 && found < count) {
          last = day;
          found++;
        }
        return found < count;
      });
    } catch {
      // Its last day is further away than the library looks.
    }
    if (found < count) throw invalidField('recurrence', 'invalid', 'has a rule that names too few days');
    return last;
  }
}
