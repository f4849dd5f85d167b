import {
  digitsOf,
  fromTheEnd,
  internationalPhone,
} from '#shared/domain/collaboration/record-lists/phones.ts';
import { nameRank } from '#shared/domain/collaboration/record-lists/ranks.ts';

/** When two names or two phone numbers are those of one person. */

/** Digits of the shortest number that can be somebody's own: shorter ones are extensions. */
const FEWEST = 6;
/** Digits at the end that a number in its country and the same one with a country code have in common. */
const NATIONAL = 8;

/**
 * The digits that count: those of E.164, else without the zeros before a country or area code; undefined for too few of
 * them.
 */
function significant(number: string): string | undefined {
  const digits = digitsOf(internationalPhone(number)?.e164 ?? number).replace(/^0+/, '');
  return digits.length >= FEWEST ? digits : undefined;
}

/** What the word begins with by which all numbers that are the same are found. */
export function endOfPhone(number: string): string | undefined {
  const digits = significant(number);
  return digits && fromTheEnd(digits.slice(-NATIONAL));
}

/** Numbers with a country are the same in E.164, with the same extension. */
export function isSamePhone(a: string, b: string): boolean {
  const [here, there] = [internationalPhone(a), internationalPhone(b)];
  if (here && there) return here.e164 === there.e164 && here.extension === there.extension;
  const [one, other] = [significant(a), significant(b)];
  if (one === undefined || other === undefined) return false;
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return shorter === longer || (shorter.length >= NATIONAL && longer.endsWith(shorter));
}

/** Names with more words are compared as they are written. */
const MAX_WORDS = 5;

/** A rank ends with a tab. */
const foldedName = (name: string) => nameRank(name).slice(0, -1);

/** "byron, ada" in the order of "ada byron". */
function inOrder(folded: string): string {
  const [, family, given] = /^([^,]*[^, ]), ([^,]+)$/.exec(folded) ?? [];
  return given === undefined || folded.split(' ').length > MAX_WORDS ? folded : `${given} ${family}`;
}

/** Without case, accents, and the order of family and given names. */
export const isSimilarName = (a: string, b: string) => inOrder(foldedName(a)) === inOrder(foldedName(b));

/** All ways to write a similar name, as their ranks in the order of names. */
export function ranksOfName(name: string): string[] {
  const folded = inOrder(foldedName(name));
  const words = folded.split(' ');
  const turned =
    words.length > MAX_WORDS
      ? []
      : words.slice(1).map((_, i) => `${words.slice(i + 1).join(' ')}, ${words.slice(0, i + 1).join(' ')}`);
  return [folded, ...turned].map((text) => `${text}\t`);
}
