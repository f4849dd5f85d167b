import { termsOf } from '#shared/domain/collaboration/record-lists/phones.ts';

/** What is searched (docs/specification/search.md). */
export interface SearchQuery {
  /** As it was sent, without spaces around it. */
  text: string;
  /** For each word, what a word of a record may begin with to match it. */
  terms: string[][];
}

/** A query without words finds only ids that are equal to it. */
export const queryOf = (sent: string): SearchQuery => ({ text: sent.trim(), terms: termsOf(sent) });
