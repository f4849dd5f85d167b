import { Temporal } from 'temporal-polyfill';

/** When clocks of a time zone change in a year, as VTIMEZONE components say it. */

export interface ClockChange {
  /** The local time until which the clocks before count. */
  at: Temporal.PlainDateTime;
  /** As `+0100`. */
  from: string;
  to: string;
  /** They go forward. */
  daylight: boolean;
}

const offsetText = (text: string) => text.replaceAll(':', '');

/** Two in most zones that change clocks; none in others. */
export function clockChangesIn(zone: string, year: number): ClockChange[] {
  const found: ClockChange[] = [];
  let at: Temporal.ZonedDateTime | null = Temporal.ZonedDateTime.from({
    timeZone: zone,
    year,
    month: 1,
    day: 1,
  });
  for (;;) {
    at = at.getTimeZoneTransition('next');
    if (at === null || at.year > year) return found;
    const before = at.subtract({ nanoseconds: 1 });
    const jump = at.offsetNanoseconds - before.offsetNanoseconds;
    found.push({
      at: at.toPlainDateTime().subtract({ nanoseconds: jump }),
      from: offsetText(before.offset),
      to: offsetText(at.offset),
      daylight: jump > 0,
    });
  }
}

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** `2SU`, the second Sunday, and `-1SU` when it is the last one. */
export function weekdaysOf({ at }: Pick<ClockChange, 'at'>): string[] {
  const day = DAYS[at.dayOfWeek - 1];
  const last = at.day + 7 > at.daysInMonth ? [`-1${day}`] : [];
  return [...last, `${Math.ceil(at.day / 7)}${day}`];
}

/** The clocks where they do not change. */
export const offsetOf = (zone: string, year: number): string =>
  offsetText(Temporal.ZonedDateTime.from({ timeZone: zone, year, month: 1, day: 1 }).offset);
