import { createHash } from 'node:crypto';
import { readMoment } from '#shared/moments.ts';

/**
 * Moments of timelines have nanoseconds: the first three digits are those of the clock, and six follow from the entry. So
 * entries of one millisecond have an order, and `before` neither skips nor repeats one (docs/decisions/0080).
 */

export interface Moment {
  /** Milliseconds. */
  at: number;
  /** Six digits. */
  tie: string;
}

const DIGITS = 6;

/** What tells an entry from others of its millisecond. */
export function tieOf(id: string): string {
  const number = createHash('sha256').update(id).digest().readUInt32BE() % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/** Newest first. */
export const compareMoments = (a: Moment, b: Moment): number =>
  b.at - a.at || (a.tie < b.tie ? 1 : a.tie > b.tie ? -1 : 0);

export const presentMoment = ({ at, tie }: Moment): string =>
  new Date(at).toISOString().replace('Z', `${tie}Z`);

/** A moment as it was sent, or a day in the user's time zone. */
export function momentOf(sent: string, time_zone: string): Moment {
  const [, fraction = ''] = /\.(\d+)/.exec(sent) ?? [];
  // Dates of JavaScript end with milliseconds.
  const at = readMoment(sent.replace(/(\.\d{3})\d+/, '$1'), time_zone).getTime();
  return { at, tie: fraction.slice(3).padEnd(DIGITS, '0') };
}
