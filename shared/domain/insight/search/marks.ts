import { escapeHtml } from '#shared/domain/platform/outgoing-mail/plain.ts';
import { wordPlaces } from '#shared/domain/platform/postings/words.ts';
import { foldForSearch } from '#shared/folding.ts';
import type { SearchQuery } from './query.ts';
import type { Text } from './texts.ts';

/** A matched text as HTML, in which only `mark` is an element (docs/specification/search.md, "Snippets"). */

/** Characters as people count them, around the first match. */
const LONGEST = 160;
const BEFORE = 40;

let segmenter: Intl.Segmenter | undefined;

/** A text in the characters that people see, and the place of each in the folded text. */
interface Characters {
  shown: string[];
  /** Where each begins in the folded text, and where the last one ends. */
  places: number[];
  folded: string;
}

/** Each character is folded by itself: it may become several letters, or none. */
function charactersOf(text: string): Characters {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  const shown = [...segmenter.segment(text)].map(({ segment }) => segment);
  const places = [0];
  let folded = '';
  for (const each of shown) {
    folded += foldForSearch(each);
    places.push(folded.length);
  }
  return { shown, places, folded };
}

/** From one character to the one behind the last. */
type Range = [from: number, to: number];

function rangeOf({ places }: Characters, from: number, to: number): Range {
  const first = places.findLastIndex((place, i) => place <= from && i < places.length - 1);
  const end = places.findIndex((place) => place >= to);
  return [first, Math.max(end, first + 1)];
}

/** The longest beginning of a word that one of the query’s words is. */
function matchedLength(word: string, { terms }: SearchQuery): number {
  const lengths = terms.flat().map((term) => (word.startsWith(term) ? term.length : 0));
  return Math.max(0, ...lengths);
}

function rangesOf(characters: Characters, query: SearchQuery): Range[] {
  return wordPlaces(characters.folded).flatMap(({ word, at }) => {
    const length = matchedLength(word, query);
    return length > 0 ? [rangeOf(characters, at, at + length)] : [];
  });
}

/** Where to begin, so that the first match is seen with what stands before it. */
const startFor = (first: number, length: number) =>
  length <= LONGEST ? 0 : Math.max(0, Math.min(first - BEFORE, length - LONGEST));

/** A number that is found by its end, or as it is dialled, has no such word: it is marked as a whole. */
export function snippetOf({ text }: Text, query: SearchQuery): string {
  const characters = charactersOf(text.replaceAll(/\s+/gu, ' ').trim());
  const { shown } = characters;
  const found = rangesOf(characters, query);
  const ranges: Range[] = found.length > 0 ? found : [[0, shown.length]];
  const start = startFor(ranges[0]?.[0] ?? 0, shown.length);
  const end = Math.min(shown.length, start + LONGEST);
  let html = start > 0 ? '…' : '';
  let at = start;
  for (const [from, to] of ranges) {
    if (to <= at || from >= end) continue;
    const [first, last] = [Math.max(from, at), Math.min(to, end)];
    html += `${escapeHtml(shown.slice(at, first).join(''))}<mark>${escapeHtml(shown.slice(first, last).join(''))}</mark>`;
    at = last;
  }
  return `${html}${escapeHtml(shown.slice(at, end).join(''))}${end < shown.length ? '…' : ''}`;
}
