/** Places messages in time around `now`, so that a demo started on any day looks lived in. */
export interface Clock {
  /** A UTC time of day on the nth working day before today; 1 is the last working day. */
  at(workdays: number, time: string): Date;
  /** A number of minutes before now, up to a day; always later than `at(2, ...)`. */
  ago(minutes: number): Date;
  /** The same, but not before midnight in UTC. */
  today(minutes: number): Date;
  /** A UTC time of day on the nth working day after today. */
  ahead(workdays: number, time: string): Date;
}

const DAY = 86_400_000;

export function clockFrom(now: Date): Clock {
  const step = (workdays: number, direction: 1 | -1, time: string): Date => {
    const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
    for (let left = workdays; left > 0; ) {
      day.setUTCDate(day.getUTCDate() + direction);
      if (day.getUTCDay() !== 0 && day.getUTCDay() !== 6) left -= 1;
    }
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    day.setUTCHours(hours, minutes, direction < 0 ? (hours * 7 + minutes * 13) % 60 : 0);
    return day;
  };
  const ago = (minutes: number) => new Date(Math.floor(now.getTime() / 1000) * 1000 - minutes * 60_000);
  return {
    at: (workdays, time) => step(workdays, -1, time),
    ago,
    today: (minutes) => new Date(Math.max(ago(minutes).getTime(), Math.floor(now.getTime() / DAY) * DAY)),
    ahead: (workdays, time) => step(workdays, 1, time),
  };
}

/** A day as people write it in the middle of a sentence: "Thursday 12 November". */
export function dayName(date: Date, lang = 'en-GB'): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  const day = new Intl.DateTimeFormat(lang, options).format(date);
  return lang === 'en-GB' ? day.replace(', ', ' ') : day;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats are slow to make and used for every date in every quote. */
function format(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, known);
  return known;
}

/** The parts of a moment as a clock on the wall in `zone` shows them, ready to be put in any order. */
export function wallTime(date: Date, zone: string, lang = 'en') {
  const part = (options: Intl.DateTimeFormatOptions, locale = lang) =>
    format(locale, { timeZone: zone, ...options }).format(date);
  const number = (options: Intl.DateTimeFormatOptions) => Number(part(options, 'en-US'));
  const hour = number({ hour: 'numeric', hourCycle: 'h23' });
  const two = (value: number) => String(value).padStart(2, '0');
  const offset = format('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(date)
    .find((each) => each.type === 'timeZoneName')!
    .value.replace('GMT', '');
  return {
    weekday: part({ weekday: 'long' }),
    weekdayShort: part({ weekday: 'short' }),
    month: part({ month: 'long' }),
    monthShort: part({ month: 'short' }),
    day: number({ day: 'numeric' }),
    dd: two(number({ day: 'numeric' })),
    mm: two(number({ month: 'numeric' })),
    year: number({ year: 'numeric' }),
    hour,
    hh: two(hour),
    hour12: hour % 12 || 12,
    half: hour < 12 ? 'AM' : 'PM',
    minute: two(number({ minute: 'numeric' })),
    second: two(date.getUTCSeconds()),
    /** As mail headers write it: +0100. */
    offset: offset === '' ? '+0000' : offset.replace(':', ''),
    /** As Yahoo writes it: GMT+1 or UTC+1 without the prefix. */
    shortOffset: offset.replace(/^([+-])0?(\d+):00$/, '$1$2'),
  };
}

/** The value of a Date header. */
export function headerDate(date: Date, zone: string): string {
  const w = wallTime(date, zone, 'en-US');
  return `${w.weekdayShort}, ${w.dd} ${w.monthShort} ${w.year} ${w.hh}:${w.minute}:${w.second} ${w.offset}`;
}
