import { foldForSearch } from '#shared/folding.ts';
import { MOMENT_LENGTH, rankedTime, timeRank } from '#shared/table/keys.ts';

/**
 * Ranks: values as ASCII text that sorts as they do, for posting lists. A record's rank in an order begins with 1, and
 * with 0 without a value, and ends with its id.
 */

/** A sort key has 1,024 bytes at most; this leaves room for the id. */
const MAX_NAME = 900;

/** Characters above `|` as `}` and the code point in hex, so that text sorts by code points in ASCII alone. */
function ascii(text: string): string {
  return text.replaceAll(
    /[^\t -|]/gu,
    (character) => `}${(character.codePointAt(0) as number).toString(16).padStart(6, '0')}`,
  );
}

/** Without case, accents and extra spaces. The tab sorts before every other character: "Ann" before "Ann Bell". */
export function nameRank(name: string): string {
  const folded = foldForSearch(name)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  let rank = '';
  for (const character of folded) {
    const next = ascii(character);
    if (rank.length + next.length > MAX_NAME) break;
    rank += next;
  }
  return `${rank}\t`;
}

export const momentRank = (timestamp: string) => timeRank(Date.parse(timestamp));

const SIGN = 1n << 63n;
const ALL_BITS = (1n << 64n) - 1n;

/** As IEEE 754 stores it: numbers below zero sort by their inverted bits. */
export function numberRank(number: number): string {
  const stored = Buffer.alloc(8);
  stored.writeDoubleBE(number === 0 ? 0 : number);
  const bits = stored.readBigUInt64BE();
  const sorted = bits < SIGN ? bits | SIGN : bits ^ ALL_BITS;
  return sorted.toString(16).padStart(16, '0');
}

/** The number of a `numberRank`. */
export function numberOf(rank: string): number {
  const sorted = BigInt(`0x${rank}`);
  const stored = Buffer.alloc(8);
  stored.writeBigUInt64BE(sorted < SIGN ? sorted ^ ALL_BITS : sorted ^ SIGN);
  return stored.readDoubleBE();
}

/** The ranks of records with a value. */
export const VALUED = '1';

export const withId = (rank: string, id: string) => `${rank}#${id}`;

export const withoutId = (rank: string) => rank.slice(0, rank.lastIndexOf('#'));

export const rankOf = (value: string | null, id: string): string =>
  withId(value === null ? '0' : `${VALUED}${value}`, id);

/** The value of a rank with one. */
export function rankedValue(rank: string): string {
  return withoutId(rank).slice(VALUED.length);
}

/** The moment in a rank, from its value or any other place on. */
export const momentIn = (rank: string, from = VALUED.length) =>
  rankedTime(rank.slice(from, from + MOMENT_LENGTH));

/** The record of a rank. */
export function idOf(rank: string): string {
  return rank.slice(rank.lastIndexOf('#') + 1);
}

/** The records of postings, in their order. */
export const idsOf = (postings: { SK: string }[]) => postings.map(({ SK }) => idOf(SK));
