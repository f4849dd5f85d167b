/** How values are written. */

let zone: string | undefined;

function isKnown(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Times are by the clock of the user; an unknown zone leaves that of the browser. */
export function useTimeZone(name: string): void {
  zone = isKnown(name) ? name : undefined;
}

const format = (moment: string | Date, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...(zone ? { timeZone: zone } : {}), ...options }).format(
    new Date(moment),
  );

const day = (moment: string | Date) =>
  format(moment, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const time = (moment: string) => format(moment, { hour: '2-digit', minute: '2-digit' });
export const dayAndTime = (moment: string) => `${day(moment)}, ${time(moment)}`;

/** Today the time, this year the day and month, else the date. */
export function short(moment: string, now = new Date()): string {
  if (day(moment) === day(now)) return time(moment);
  const year = (each: string | Date) => format(each, { year: 'numeric' });
  return year(moment) === year(now)
    ? format(moment, { day: 'numeric', month: 'short' })
    : format(moment, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** The day of a moment in the time zone of somebody, else of the user. */
export const dateIn = (moment: string, name: string | undefined) =>
  format(moment, {
    ...(name && isKnown(name) ? { timeZone: name } : {}),
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });

/** A date without a time is the same everywhere. */
export const date = (text: string) =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(new Date(`${text}T00:00:00Z`));

const dayBefore = (text: string) => new Date(Date.parse(text) - 86_400_000).toISOString().slice(0, 10);

/** From the beginning to the end of an event. */
export function span(event: {
  starts_at: string;
  ends_at: string;
  all_day: boolean;
  starts_on: string | null;
  ends_on: string | null;
}): string {
  const { starts_on, ends_on } = event;
  if (event.all_day && starts_on && ends_on) {
    const [first, last] = [date(starts_on), date(dayBefore(ends_on))];
    return first === last ? first : `${first} to ${last}`;
  }
  const end = day(event.starts_at) === day(event.ends_at) ? time(event.ends_at) : dayAndTime(event.ends_at);
  return `${dayAndTime(event.starts_at)} to ${end}`;
}

export function money(amount: number | null, currency: string | null): string {
  if (amount === null) return '';
  try {
    const style = currency ? ({ style: 'currency', currency } as const) : {};
    return new Intl.NumberFormat('en-GB', { ...style, maximumFractionDigits: 2 }).format(amount);
  } catch {
    return `${amount} ${currency}`;
  }
}

export function size(bytes: number | null): string {
  if (bytes === null) return '';
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ['kB', 'MB', 'GB'];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`;

export interface Count {
  total: number;
  capped: boolean;
}
export const counted = ({ total, capped }: Count) => (capped ? `${total}+` : String(total));

/** `comment_added` as words. */
export const words = (name: string) => name.replaceAll(/[_.]/g, ' ');
export const title = (name: string) => words(name).replace(/^./, (letter) => letter.toUpperCase());
