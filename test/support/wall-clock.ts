/**
 * Time zones computed from the output of Intl and plain arithmetic, to check the service's own, which uses Temporal.
 * Wall time is the milliseconds of the UTC time with the same digits.
 */

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(time_zone: string): Intl.DateTimeFormat {
  let format = formats.get(time_zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: time_zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(time_zone, format);
  }
  return format;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** What clocks of the zone show at a moment. */
export function wallAt(time_zone: string, moment: number): number {
  const parts = Object.fromEntries(
    formatOf(time_zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
  const { year, month, day, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((moment % 1_000) + 1_000) % 1_000);
}

export const offsetAt = (time_zone: string, moment: number) => wallAt(time_zone, moment) - moment;

/** The first minute at which `is` holds, between two moments; it holds at the second. */
function firstMinute(from: number, to: number, is: (moment: number) => boolean): number {
  let [before, after] = [from, to];
  while (after - before > HOUR) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE;
    if (is(middle)) after = middle;
    else before = middle;
  }
  for (let moment = before; moment < after; moment += MINUTE) if (is(moment)) return moment;
  return after;
}

/** The moments at which the zone's offset changes, to the minute. */
export function transitions(time_zone: string, from: number, to: number): number[] {
  const found: number[] = [];
  for (let at = from; at < to; at += DAY / 2) {
    const before = offsetAt(time_zone, at);
    if (offsetAt(time_zone, at + DAY / 2) !== before)
      found.push(firstMinute(at, at + DAY / 2, (moment) => offsetAt(time_zone, moment) !== before));
  }
  return found;
}

/** Offsets around a wall time; clocks never change twice within six hours. */
function offsetsAround(time_zone: string, wall: number): Set<number> {
  const hours = [-42, -36, -30, -24, -18, -12, -6, 0, 6, 12, 18, 24, 30, 36, 42];
  return new Set(hours.map((each) => offsetAt(time_zone, wall + each * HOUR)));
}

/** The moment of the change of clocks that skips a wall time. */
function gapAt(time_zone: string, wall: number): number | undefined {
  return transitions(time_zone, wall - 2 * DAY, wall + 2 * DAY).find(
    (each) => wallAt(time_zone, each - MINUTE) < wall && wallAt(time_zone, each) > wall,
  );
}

/** The moments at which clocks show a wall time. */
function momentsOf(time_zone: string, wall: number): number[] {
  return [...offsetsAround(time_zone, wall)]
    .map((offset) => wall - offset)
    .filter((each) => wallAt(time_zone, each) === wall);
}

/**
 * The moment at which clocks show a wall time: the first one when they show it twice; when they skip it, as far after
 * the gap as the time is into it.
 */
export function momentOf(time_zone: string, wall: number): number {
  const shown = momentsOf(time_zone, wall);
  if (shown.length > 0) return Math.min(...shown);
  const gap = gapAt(time_zone, wall) as number;
  return wall - offsetAt(time_zone, gap - MINUTE);
}

/** The first moment of the wall day that begins with `wall`. */
export function dayBegins(time_zone: string, wall: number): number {
  const shown = momentsOf(time_zone, wall);
  return shown.length > 0 ? Math.min(...shown) : (gapAt(time_zone, wall) as number);
}
