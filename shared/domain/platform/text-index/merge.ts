import { compareWords } from './order.ts';
import type { Posting } from './packed.ts';
import { byAge, type Doc } from './segment.ts';

/** Merges segments: their documents are numbered anew, and the postings of a word become one. */

export interface Part<D extends Doc> {
  docs: readonly D[];
  /** In the order of words; a word may come several times, in the order of its numbers. */
  postings: AsyncIterable<Posting>;
}

interface Head {
  posting: Posting;
  renumbered: Uint32Array;
  rest: AsyncIterator<Posting>;
}

/** New numbers by part and old number. */
function renumber<D extends Doc>(parts: readonly Part<D>[]): { docs: D[]; numbers: Uint32Array[] } {
  const all = parts.flatMap(({ docs }, part) => docs.map((doc, number) => ({ doc, part, number })));
  all.sort((a, b) => byAge(a.doc, b.doc));
  const numbers = parts.map(({ docs }) => new Uint32Array(docs.length));
  for (const [place, { part, number }] of all.entries()) (numbers[part] as Uint32Array)[number] = place;
  return { docs: all.map(({ doc }) => doc), numbers };
}

async function headOf(rest: AsyncIterator<Posting>, renumbered: Uint32Array): Promise<Head | undefined> {
  const { done, value } = await rest.next();
  return done ? undefined : { posting: value, renumbered, rest };
}

async function* mergePostings(heads: Head[]): AsyncGenerator<Posting> {
  let left = heads;
  while (left.length > 0) {
    const word = left.map(({ posting }) => posting.word).reduce((a, b) => (compareWords(a, b) <= 0 ? a : b));
    const numbers: number[] = [];
    const next: Head[] = [];
    for (let head of left) {
      while (head.posting.word === word) {
        for (const number of head.posting.numbers) numbers.push(head.renumbered[number] as number);
        const following = await headOf(head.rest, head.renumbered);
        if (!following) {
          head = { ...head, posting: { word: '', numbers: [] } };
          break;
        }
        head = following;
      }
      if (head.posting.word !== '') next.push(head);
    }
    yield { word, numbers: numbers.sort((a, b) => a - b) };
    left = next;
  }
}

export async function merged<D extends Doc>(
  parts: readonly Part<D>[],
): Promise<{ docs: D[]; postings: AsyncIterable<Posting> }> {
  const { docs, numbers } = renumber(parts);
  const heads = await Promise.all(
    parts.map(({ postings }, i) => headOf(postings[Symbol.asyncIterator](), numbers[i] as Uint32Array)),
  );
  return { docs, postings: mergePostings(heads.filter((head) => head !== undefined)) };
}
