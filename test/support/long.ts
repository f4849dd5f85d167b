import { it } from 'vitest';

/**
 * A file that imports this runs twice, unless it is a long test: in `npm test` with some of its cases, in `npm run test:long` with all
 * (long.config.ts finds it). CI runs it once, with all.
 */
export const long = process.env.LONG_TESTS === 'true';

const none: unknown = Object.assign(() => {}, { each: () => () => {} });

/** `it` for what takes more than half a second: there is no such test but in the long tests. */
export const longIt = long ? it : (none as typeof it);

/** `some` in `npm test`, all in the long tests. */
export const cases = <T>(some: T[], others: T[]): T[] => (long ? [...some, ...others] : some);

/** The long tests take every call and every round, or one in so many: CI takes one in 32. */
const SHARE = Number(process.env.SHARE ?? 1);

/**
 * How far it is from one call to the next in tests that let each call fail: `npm test` takes every 25th. An odd number,
 * as every other one of `failNth` fails before the call, and the others after it.
 */
export const STRIDE = long ? SHARE + ((SHARE + 1) % 2) : 25;

/** The same for what takes few calls. */
export const SHORT_STRIDE = Math.min(STRIDE, 9);

/** Rounds of the same: few in `npm test`, and the share of all in the long tests. */
export const rounds = (few: number, all: number) => (long ? Math.max(few, Math.ceil(all / SHARE)) : few);

/** One in so many of the long tests, the first one always. */
export const sample = <T>(all: readonly T[]): T[] => all.filter((_, i) => i % STRIDE === 0);

/** `some` in CI, all by hand: of what each takes many seconds. */
export const mostly = <T>(some: T[], others: T[]): T[] => (SHARE > 1 ? some : [...some, ...others]);

/** An eighth in `npm test` and CI: of requests at once, of what is drawn by chance, of rounds. */
export const reduced = (all: number) => Math.ceil(all / (long ? Math.min(SHARE, 8) : 8));
