/**
 * A file that imports this runs twice, unless it is a long test: in `npm test` with some of its cases, in `npm run test:long` with all
 * (long.config.ts finds it). CI runs it once, with all.
 */
export const long = process.env.LONG_TESTS === 'true';

/** `some` in `npm test`, all in the long tests. */
export const cases = <T>(some: T[], others: T[]): T[] => (long ? [...some, ...others] : some);

/** The long tests take every call and every round, or one in so many: CI takes one in four. */
const SHARE = Number(process.env.SHARE ?? 1);

/** How far it is from one call to the next in tests that let each call fail: `npm test` takes every ninth. */
export const STRIDE = long ? SHARE : 9;

/** An eighth in `npm test`: of requests at once, of what is drawn by chance, of rounds. */
export const reduced = (all: number) => Math.ceil(all / (long ? SHARE : 8));
