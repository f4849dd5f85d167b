import { compareWords } from './order.ts';
import { Packer, type Posting } from './packed.ts';

/**
 * A segment: documents, the newest first, each with a number; and for every word the numbers of the documents that have it,
 * in blocks of some kilobytes in the order of the words. So a word, or all words that begin alike, are a range of blocks.
 */

/** What is known of a document besides its words. */
export interface Doc {
  id: string;
  /** Milliseconds. */
  moment: number;
}

/** In the place of the id of a document that was taken out. */
export const NO_ID = '';

/** A document that is not in a segment yet. */
export interface Entry<D extends Doc> {
  doc: D;
  words: readonly string[];
}

export interface Block {
  /** The first word, and the number of its first document here: a word of very many documents is in several blocks. */
  word: string;
  number: number;
  bytes: Uint8Array;
}

/** Bytes of a block: two read units, without consistency one. */
const BLOCK = 7_000;

/** The newest first; of one moment, the higher id first. */
export const byAge = (a: Doc, b: Doc): number => b.moment - a.moment || (a.id > b.id ? -1 : 1);

/** Numbers of a posting, in parts that fit into blocks. */
const PART = 3_000;

function* inParts({ word, numbers }: Posting): Generator<Posting> {
  for (let at = 0; at < numbers.length; at += PART) yield { word, numbers: numbers.slice(at, at + PART) };
}

/** Packs postings, which are in the order of their words. */
export async function* blocksOf(postings: AsyncIterable<Posting> | Iterable<Posting>): AsyncGenerator<Block> {
  let packer = new Packer();
  let first: Posting | undefined;
  const block = () => ({
    word: first?.word as string,
    number: first?.numbers[0] as number,
    bytes: packer.bytes(),
  });
  for await (const posting of postings)
    for (const part of inParts(posting)) {
      if (first && packer.size >= BLOCK) {
        yield block();
        packer = new Packer();
        first = undefined;
      }
      first ??= part;
      packer.add(part);
    }
  if (first) yield block();
}

const first = (word: string) => String.fromCodePoint(word.codePointAt(0) as number);

/** What a word may end with, which tells where in its document it is. Words of texts have none of these characters. */
const MARK = /[:;]$/;

/** The mark of a word; empty without one. */
export const markOf = (word: string): string => MARK.exec(word)?.[0] ?? '';

/** What documents have for all of their words that begin with a character: it comes right behind the word of that character. */
const beginningOf = (word: string) => `${first(word)}*${markOf(word)}`;

/** What to look for, so that one character costs no more than a word. */
export const lookedFor = (term: string) => (first(term) === term ? beginningOf(term) : term);

/** The documents of entries with their postings. */
export function sorted<D extends Doc>(entries: readonly Entry<D>[]): { docs: D[]; postings: Posting[] } {
  const inOrder = entries.toSorted((a, b) => byAge(a.doc, b.doc));
  const numbers = new Map<string, number[]>();
  for (const [number, { words }] of inOrder.entries())
    for (const word of new Set([...words, ...words.map(beginningOf)])) {
      const list = numbers.get(word);
      if (list) list.push(number);
      else numbers.set(word, [number]);
    }
  const postings = [...numbers].map(([word, list]) => ({ word, numbers: list }));
  return {
    docs: inOrder.map(({ doc }) => doc),
    postings: postings.sort((a, b) => compareWords(a.word, b.word)),
  };
}
