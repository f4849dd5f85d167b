import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { wordsOf, wordsOfAll } from '#shared/domain/platform/postings/words.ts';
import { type FoundBy, WHOLE } from './entry.ts';

/**
 * Phone numbers are stored as they were written, and compared as E.164 where they name their country
 * (docs/decisions/0047). They are found by how they begin, by each of their groups of digits, and by how they end.
 */

/** Digits of a term that may be the end of a number. */
const FEWEST = 4;

/** Digits of a query that may be a whole number. */
const FEWEST_OF_NUMBER = 6;

/** A number with a country code. */
interface InternationalPhone {
  /** For example `+442079460123`. */
  e164: string;
  /** Without the country code and the prefix that is dialled in the country: `2079460123`. */
  significant: string;
  /** The digits that are dialled in the country: `02079460123`. */
  dialled: string;
  /** Inside a company; E.164 has none. */
  extension: string | undefined;
}

export const digitsOf = (number: string) => number.replaceAll(/\D/g, '');

function read(number: string): InternationalPhone | undefined {
  const parsed = parsePhoneNumberFromString(number.trim().replace(/^00/, '+'));
  if (!parsed?.isPossible()) return undefined;
  const { number: e164, nationalNumber: significant, ext: extension } = parsed;
  parsed.setExt('');
  return { e164, significant, dialled: digitsOf(parsed.formatNational()), extension };
}

/** Comparing two contacts reads every number as often as the other has numbers. */
const MOST_KNOWN = 1_000;
const known = new Map<string, InternationalPhone | undefined>();

/** Undefined for a number without a country code, or with too many or too few digits for its country. */
export function internationalPhone(number: string): InternationalPhone | undefined {
  if (known.has(number)) return known.get(number);
  if (known.size >= MOST_KNOWN) known.clear();
  const found = read(number);
  known.set(number, found);
  return found;
}

/**
 * What a number is called: by its E.164 form, and as it is dialled in its country; without a country by its digits. A text
 * without any is itself.
 */
export function phoneKeys(number: string): string[] {
  const phone = internationalPhone(number);
  return phone ? [phone.e164, phone.dialled] : [digitsOf(number) || number];
}

/** What is the same for one number however it is written, with its extension. */
export function phoneIdentity(number: string): string {
  const phone = internationalPhone(number);
  return phone ? `${phone.e164} ${phone.extension ?? ''}` : digitsOf(number) || number;
}

/** The word by which all numbers with this key are found. */
export const phoneKeyWord = (key: string) => `${WHOLE}tel:${key}`;

/** What the word of a number that ends with these digits begins with. The mark is in no word of a text. */
export const fromTheEnd = (digits: string) => `#${[...digits].reverse().join('')}`;

/** The words by which a number is found. */
export function phoneWords(number: string): string[] {
  const keys = phoneKeys(number);
  const all = [number, ...keys].map(digitsOf);
  const ends = all.slice(0, 2).filter(({ length }) => length >= FEWEST);
  return [...new Set([...wordsOf(number), ...all, ...ends.map(fromTheEnd), ...keys.map(phoneKeyWord)])];
}

/**
 * What can be searched of a record besides its name: the words of texts and numbers that the name does not have, and those of
 * its id in another system that none of them have.
 */
export function furtherWords(
  texts: (string | null)[],
  { title, phones, external_id }: { title: string[]; phones: string[]; external_id: string | null },
): Pick<FoundBy, 'text' | 'ids'> {
  // Those that are found as a whole are for other lists.
  const ofPhones = phones.flatMap(phoneWords).filter((word) => !word.startsWith(WHOLE));
  const without = (words: string[], known: string[]) => {
    const left = new Set(known);
    return [...new Set(words)].filter((word) => !left.has(word));
  };
  const text = without([...wordsOfAll(texts), ...ofPhones], title);
  const ids = without(wordsOf(external_id), [...title, ...text]);
  return { text, ...(ids.length > 0 ? { ids } : {}) };
}

/** What a word may begin with to match a term. */
const beginningsFor = (term: string) =>
  term.length >= FEWEST && /^\d+$/.test(term) ? [term, fromTheEnd(term)] : [term];

/** The same for a query that is a number as a whole; nothing for any other query. */
function beginningsForNumber(query: string): string[] {
  const digits = digitsOf(query);
  if (digits.length < FEWEST_OF_NUMBER || !/^[\d+()./\s-]+$/.test(query)) return [];
  const significant = internationalPhone(query)?.significant ?? digits.replace(/^0+/, '');
  return significant.length < FEWEST ? [digits] : [digits, fromTheEnd(significant)];
}

/**
 * For each term of a query, what a word may begin with to match it. Where the query is a number as a whole, that number
 * matches every term.
 */
export function termsOf(query: string): string[][] {
  const whole = beginningsForNumber(query);
  return wordsOf(query).map((term) => [...new Set([...beginningsFor(term), ...whole])]);
}
