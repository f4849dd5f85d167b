import { wordsOf } from '#shared/domain/platform/postings/words.ts';

/** Phone numbers are found by how they begin, by each of their groups of digits, and by how they end. */

/** Digits of a term that may be the end of a number. */
const FEWEST = 4;

/** The mark is in no word of a text. */
const fromTheEnd = (digits: string) => `#${[...digits].reverse().join('')}`;

/** The words by which a number is found. */
export function phoneWords(number: string): string[] {
  const digits = number.replaceAll(/\D/g, '');
  return [...new Set([...wordsOf(number), digits, ...(digits.length >= FEWEST ? [fromTheEnd(digits)] : [])])];
}

/** What a word may begin with to match the term. */
export function alternatives(term: string): string[] {
  return term.length >= FEWEST && /^\d+$/.test(term) ? [term, fromTheEnd(term)] : [term];
}
