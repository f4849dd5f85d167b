import { termsOf } from '#shared/domain/collaboration/record-lists/phones.ts';

/** What is searched (docs/specification/search.md). */
export interface SearchQuery {
  /** As it was sent, without spaces around it. */
  text: string;
  /** For each word, what a word of a record may begin with to match it. */
  terms: string[][];
}

/** The longest words are looked up; further ones are checked on what is found. */
const LOOKED_UP = 4;

export const lookedUp = ({ terms }: SearchQuery): string[][] =>
  terms.toSorted(([a = ''], [b = '']) => b.length - a.length).slice(0, LOOKED_UP);

/** Whether no word is left to check. */
export const looksUpAll = ({ terms }: SearchQuery): boolean => terms.length <= LOOKED_UP;

/** A query without words finds only ids that are equal to it. */
export const queryOf = (sent: string): SearchQuery => ({ text: sent.trim(), terms: termsOf(sent) });
