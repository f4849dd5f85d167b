import { wordsOf } from '#shared/domain/platform/postings/words.ts';

/** Phone numbers are found by how they begin, by each of their groups of digits, and by how they end. */

/** Digits of a term that may be the end of a number. */
const FEWEST = 4;

/** What the word of a number that ends with these digits begins with. The mark is in no word of a text. */
export const fromTheEnd = (digits: string) => `#${[...digits].reverse().join('')}`;

export const digitsOf = (number: string) => number.replaceAll(/\D/g, '');

/** The words by which a number is found. */
export function phoneWords(number: string): string[] {
  const digits = digitsOf(number);
  return [...new Set([...wordsOf(number), digits, ...(digits.length >= FEWEST ? [fromTheEnd(digits)] : [])])];
}

/** What a word may begin with to match the term. */
export function alternatives(term: string): string[] {
  return term.length >= FEWEST && /^\d+$/.test(term) ? [term, fromTheEnd(term)] : [term];
}
