import { foldForSearch } from '#shared/folding.ts';

/**
 * Text search (docs/specification/mail.md, "Search by words"): a word of the query matches every word that begins
 * with it, whatever case and accents; all words of the query must match.
 */

/** Words of one text that are searched. A subject or snippet hardly has more. */
const MAX_WORDS = 200;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts written without spaces, where a dictionary finds the words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

let segmenter: Intl.Segmenter | undefined;

function segments(run: string): string[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  return [...segmenter.segment(run)].map(({ segment }) => segment);
}

/** The folded words of a text, each once. */
export function wordsOf(text: string | null): string[] {
  if (text === null) return [];
  const runs = foldForSearch(text).match(WORD) ?? [];
  const words = runs.flatMap((run) => (UNSPACED.test(run) ? segments(run) : [run]));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** `terms` are the words of a query; nothing matches a query without any. */
export function matchesTerms(terms: string[], words: string[]): boolean {
  return terms.length > 0 && terms.every((term) => words.some((word) => word.startsWith(term)));
}

/**
 * Words are looked up by their first 3 and 5 characters: a word is in one list for each of these lengths that it
 * reaches. Two characters have a list where they tell much, in any script but the letters and digits of ASCII: too many
 * threads have a word that begins with "in", and the newest threads fill a page of them.
 * Each length more makes an import dearer: these lists are most of what it writes.
 */
const LENGTHS = [3, 5];
const TELLING_PAIR = /[^a-z0-9]/;

/**
 * Words of English sentences that have no list either: so many threads have one that a page of them is soon found among
 * all. None that is a name as well, and only words of three letters and more: shorter ones have no list anyway.
 */
const EVERYWHERE = new Set(
  [
    'about after all also and any are because been before but could did does for from had has have her here him his',
    'how its just like more most much not only other our out over should some such than that the their them then',
    'there these they this those too until very was were what when where which while who with within without would',
    'you your',
  ].flatMap((line) => line.split(' ')),
);
/** What such words begin with. A word that begins in the same way but goes on differently has its lists. */
const BEGIN_EVERYWHERE = new Set(
  [...EVERYWHERE].flatMap((word) => [...word].map((_, end) => word.slice(0, end + 1))),
);

const beginning = (characters: string[], length: number) => characters.slice(0, length).join('');

/** The lists in which a word stands. */
export function bucketsOf(word: string): string[] {
  if (EVERYWHERE.has(word)) return [];
  const characters = [...word];
  const buckets = LENGTHS.filter((length) => length <= characters.length).map((length) =>
    beginning(characters, length),
  );
  const pair = beginning(characters, 2);
  return characters.length > 1 && TELLING_PAIR.test(pair) ? [pair, ...buckets] : buckets;
}

/** The narrowest bucket that holds all words which begin with the term; undefined when there is none. */
export function bucketFor(term: string): string | undefined {
  return BEGIN_EVERYWHERE.has(term) ? undefined : bucketsOf(term).at(-1);
}

/** Characters of a word kept beside its place in a bucket. */
const KEPT = 64;

/** Words longer than their bucket, as text in which a term is found behind a space. */
export function tail(bucket: string, words: string[]): string | undefined {
  const longer = words.filter((word) => word !== bucket);
  return longer.length === 0 ? undefined : longer.map((word) => ` ${word.slice(0, KEPT)}`).join('');
}

/** What to look for in a tail; undefined when the bucket alone decides. */
export function tailTerm(bucket: string, term: string): string | undefined {
  return term === bucket ? undefined : ` ${term.slice(0, KEPT)}`;
}
