import { phoneWords } from '#shared/domain/collaboration/record-lists/phones.ts';
import { wordsOf } from '#shared/domain/platform/postings/words.ts';
import type { SearchQuery } from './query.ts';
import { TIER, type Tier } from './tiers.ts';

/** What of a record is searched, and where it matches. */

export interface Text {
  field: string;
  text: string;
  /** A part of what the record is called. */
  title?: true;
  /** The record is found first when the query is this value. */
  value?: 'as_stored' | 'lower_case';
  words: string[];
}

export type Sent = string | null | undefined;

/** Fields without a value have no text. */
function textsOf(field: string, values: Sent[], more: Omit<Partial<Text>, 'words'> = {}): Text[] {
  return values
    .filter((value): value is string => typeof value === 'string' && value !== '')
    .map((text) => ({ field, text, words: wordsOf(text), ...more }));
}

export const titleIn = (field: string, ...values: Sent[]) => textsOf(field, values, { title: true });

export const textIn = (field: string, ...values: Sent[]) => textsOf(field, values);

export const addressesIn = (field: string, values: string[]) =>
  textsOf(field, values, { value: 'lower_case' });

export const idIn = (field: string, value: Sent) => textsOf(field, [value], { value: 'as_stored' });

export const phonesIn = (field: string, values: string[]): Text[] =>
  values.map((text) => ({ field, text, words: phoneWords(text) }));

/** What a word may begin with to match one word of the query. */
export type Term = string[];

const matchesTerm = (words: string[], term: Term) =>
  words.some((word) => term.some((beginning) => word.startsWith(beginning)));

const matchesAll = (texts: Text[], terms: Term[]) =>
  terms.length > 0 && terms.every((term) => texts.some(({ words }) => matchesTerm(words, term)));

const isValue = ({ value, text }: Text, query: SearchQuery) =>
  value !== undefined && text === (value === 'lower_case' ? query.text.toLowerCase() : query.text);

/** How well a record matches; undefined when it does not. `named` are those whose titles are names. */
export function tierOf(texts: Text[], query: SearchQuery, named: boolean): Tier | undefined {
  if (texts.some((text) => isValue(text, query))) return TIER.value;
  const titles = texts.filter(({ title }) => title);
  if (matchesAll(titles, query.terms)) return named ? TIER.name : TIER.title;
  return matchesAll(texts, query.terms) ? TIER.text : undefined;
}

/** The texts in which a word of the query is found, those of titles first. */
export function matchedTexts(texts: Text[], query: SearchQuery): Text[] {
  return texts.filter(
    (text) => isValue(text, query) || query.terms.some((term) => matchesTerm(text.words, term)),
  );
}

/** The first of those in which the most words of the query are found. */
export function tellingText(matched: Text[], { terms }: SearchQuery): Text {
  const found = ({ words }: Text) => terms.filter((term) => matchesTerm(words, term)).length;
  return matched.reduce((most, text) => (found(text) > found(most) ? text : most));
}
