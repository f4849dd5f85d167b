import { foldForSearch } from '#shared/folding.ts';

/**
 * Search by words: a word of the query, a term, matches every word that begins with it, without case and accents; all
 * terms must match (docs/specification/mail.md, "Search by words").
 */

/** Indexed words of one text. A line of text rarely has more. */
const MAX_WORDS = 200;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts written without spaces, where a dictionary splits the words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

let segmenter: Intl.Segmenter | undefined;

function segments(run: string): string[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  return [...segmenter.segment(run)].map(({ segment }) => segment);
}

/** The folded words of a text, without duplicates. */
export function wordsOf(text: string | null): string[] {
  if (text === null) return [];
  const runs = foldForSearch(text).match(WORD) ?? [];
  const words = runs.flatMap((run) => (UNSPACED.test(run) ? segments(run) : [run]));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** The words of a folded text and where each begins. */
export function wordPlaces(folded: string): { word: string; at: number }[] {
  return [...folded.matchAll(WORD)].flatMap(({ 0: run, index }) => {
    let at = index;
    return (UNSPACED.test(run) ? segments(run) : [run]).map((word) => {
      at += word.length;
      return { word, at: at - word.length };
    });
  });
}

/** The words of several texts, without duplicates. */
export const wordsOfAll = (texts: (string | null)[]): string[] => [...new Set(texts.flatMap(wordsOf))];

/** A query without terms matches nothing. */
export function matchesTerms(terms: string[], words: string[]): boolean {
  return terms.length > 0 && terms.every((term) => words.some((word) => word.startsWith(term)));
}
