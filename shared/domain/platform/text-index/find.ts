import type { Table } from '#shared/table/table.ts';
import { byAge, lookedFor } from './segment.ts';
import {
  docsAt,
  findLogAndState,
  type LogItem,
  type Place,
  postingsWith,
  type SegmentInfo,
  type StoredDoc,
} from './store.ts';

/** The documents that have, for each of the terms, a word that begins with one of its spellings: the newest first. */

type Terms = readonly (readonly string[])[];

export interface Asked {
  terms: Terms;
  now: Date;
  /** Documents that are looked up at a time. */
  at_once?: number;
}

/** An index as it is at one moment, for several questions. */
export interface OpenIndex {
  owner: string;
  segments: SegmentInfo[];
  log: LogItem[];
}

export const openIndex = async (table: Table, owner: string): Promise<OpenIndex> => ({
  owner,
  ...(await findLogAndState(table, owner)),
});

/** Milliseconds after which a segment is the same wherever it is read. */
const SETTLED = 60_000;

const hasAll = (words: readonly string[], terms: Terms): boolean =>
  terms.every((spellings) => spellings.some((term) => words.some((word) => word.startsWith(term))));

/** Of one segment, in the order of their numbers. */
async function numbersIn(table: Table, place: Place, terms: Terms): Promise<number[]> {
  const sets = await Promise.all(
    terms.map(async (spellings) => {
      const found = await Promise.all(spellings.map((term) => postingsWith(table, place, lookedFor(term))));
      return new Set(found.flat().flatMap(({ numbers }) => numbers));
    }),
  );
  const [first, ...others] = sets.sort((a, b) => a.size - b.size);
  return [...(first ?? [])].filter((number) => others.every((set) => set.has(number))).sort((a, b) => a - b);
}

const SOME = 32;

/** A segment's documents, the newest first, read as they are asked for. */
class Stream {
  readonly #read: (numbers: number[]) => Promise<Map<number, StoredDoc>>;
  readonly #numbers: number[];
  readonly #ready: StoredDoc[] = [];
  #bound: number;

  constructor(table: Table, place: Place, { newest }: SegmentInfo, numbers: number[]) {
    this.#read = (some) => docsAt(table, place, some);
    this.#numbers = numbers;
    this.#bound = newest;
  }

  get head(): StoredDoc | undefined {
    return this.#ready[0];
  }

  /** How many are not read yet. */
  get unread(): number {
    return this.#numbers.length;
  }

  /** Milliseconds: none that is not read is newer. */
  get bound(): number {
    return this.#bound;
  }

  async fill(count: number): Promise<void> {
    const some = this.#numbers.splice(0, count);
    const docs = await this.#read(some);
    this.#ready.push(...some.flatMap((number) => docs.get(number) ?? []));
    this.#bound = this.#ready.at(-1)?.moment ?? this.#bound;
  }

  shift(): void {
    this.#ready.shift();
  }
}

/** Those that may have the next document and are to be read: of segments that follow each other in time, the newest. */
function hungry(streams: Stream[], moment: number, at_once: number): Stream[] {
  const unread = streams.filter(({ head, unread, bound }) => !head && unread > 0 && bound >= moment);
  let left = at_once;
  return unread
    .sort((a, b) => b.bound - a.bound)
    .filter(({ unread }) => {
      const isWanted = left > 0;
      left -= unread;
      return isWanted;
    });
}

const wordsOf = ({ words }: LogItem) => words.split(' ');

export interface FoundDocs {
  /** How many there are: one more for each that is being sorted. */
  count: number;
  /** Read as they are asked for. */
  docs: AsyncGenerator<StoredDoc>;
}

async function* newestOf(streams: Stream[], fresh: LogItem[], at_once: number): AsyncGenerator<StoredDoc> {
  const seen = new Set<string>();
  for (;;) {
    const heads = streams.flatMap((stream) =>
      stream.head ? [{ doc: stream.head, take: () => stream.shift() }] : [],
    );
    const [newest] = fresh;
    if (newest) heads.push({ doc: newest, take: () => fresh.shift() });
    const first = heads.sort((a, b) => byAge(a.doc, b.doc))[0];
    const unread = hungry(streams, first?.doc.moment ?? Number.NEGATIVE_INFINITY, at_once);
    if (unread.length > 0) {
      await Promise.all(unread.map((stream) => stream.fill(at_once)));
      continue;
    }
    if (!first) return;
    first.take();
    // One that is being sorted is in the log and in a segment.
    if (!seen.has(first.doc.id)) yield first.doc;
    seen.add(first.doc.id);
  }
}

/** Reads each term in each segment. */
export async function findDocs(
  table: Table,
  { owner, segments, log }: OpenIndex,
  { terms, now, at_once = SOME }: Asked,
): Promise<FoundDocs> {
  const searched = terms.length > 0 ? segments : [];
  const streams = await Promise.all(
    searched.map(async (each) => {
      const place = { owner, id: each.id, consistent: each.made > now.getTime() - SETTLED };
      return new Stream(table, place, each, await numbersIn(table, place, terms));
    }),
  );
  const fresh = terms.length > 0 ? log.filter((item) => hasAll(wordsOf(item), terms)).sort(byAge) : [];
  const count = streams.reduce((sum, { unread }) => sum + unread, fresh.length);
  return { count, docs: newestOf(streams, fresh, at_once) };
}
