import { compareWords } from './order.ts';
import type { Posting } from './packed.ts';
import { byAge, type Doc, NO_ID } from './segment.ts';

/**
 * Merges segments, the oldest first: their documents are numbered anew, and the postings of a word become one. Of a document
 * that several have, only the last is kept; one that was taken out goes.
 */

export interface Part<D extends Doc> {
  docs: readonly D[];
  /** In the order of words; a word may come several times, in the order of its numbers. */
  postings: AsyncIterable<Posting>;
}

interface Head {
  posting: Posting;
  renumbered: Int32Array;
  rest: AsyncIterator<Posting>;
}

/** Of a document that is not kept. */
const NONE = -1;

/** New numbers by part and old number. */
function renumber<D extends Doc>(parts: readonly Part<D>[]): { docs: D[]; numbers: Int32Array[] } {
  const all = parts.flatMap(({ docs }, part) => docs.map((doc, number) => ({ doc, part, number })));
  const last = new Map(all.map(({ doc, part }) => [doc.id, part]));
  const kept = all.filter(({ doc, part }) => doc.id !== NO_ID && last.get(doc.id) === part);
  kept.sort((a, b) => byAge(a.doc, b.doc));
  const numbers = parts.map(({ docs }) => new Int32Array(docs.length).fill(NONE));
  for (const [place, { part, number }] of kept.entries()) (numbers[part] as Int32Array)[number] = place;
  return { docs: kept.map(({ doc }) => doc), numbers };
}

async function headOf(rest: AsyncIterator<Posting>, renumbered: Int32Array): Promise<Head | undefined> {
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
        for (const number of head.posting.numbers) {
          const renumbered = head.renumbered[number] as number;
          if (renumbered !== NONE) numbers.push(renumbered);
        }
        const following = await headOf(head.rest, head.renumbered);
        if (!following) {
          head = { ...head, posting: { word: '', numbers: [] } };
          break;
        }
        head = following;
      }
      if (head.posting.word !== '') next.push(head);
    }
    if (numbers.length > 0) yield { word, numbers: numbers.sort((a, b) => a - b) };
    left = next;
  }
}

export async function merged<D extends Doc>(
  parts: readonly Part<D>[],
): Promise<{ docs: D[]; postings: AsyncIterable<Posting> }> {
  const { docs, numbers } = renumber(parts);
  const heads = await Promise.all(
    parts.map(({ postings }, i) => headOf(postings[Symbol.asyncIterator](), numbers[i] as Int32Array)),
  );
  return { docs, postings: mergePostings(heads.filter((head) => head !== undefined)) };
}
