import type { Random } from '../threads/random.ts';

/** When records of the world are made and written: one after the other in two years, and once more at any time since. */

const DAY = 86_400_000;
export const SPAN = 730 * DAY;

export const createdAt = (number: number, { rows, now }: { rows: number; now: number }) =>
  new Date(now - Math.floor(((rows - number) * SPAN) / rows));

export const writtenAt = (random: Random, created: Date, now: number) =>
  new Date(created.getTime() + Math.floor(random() * (now - created.getTime())));

/** The parts of two years back, since when half of all and one of a hundred were written, and before when the latter. */
export const WRITTEN = { half: 0.187, last: 0.0013, first: 0.864 };
