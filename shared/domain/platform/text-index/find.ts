import type { Table } from '#shared/table/table.ts';
import { byAge } from './segment.ts';
import {
  docsAt,
  findLogAndState,
  type LogItem,
  postingsWith,
  type SegmentInfo,
  type StoredDoc,
} from './store.ts';

/** The documents that have, for each of the terms, a word that begins with one of its spellings: the newest first. */

type Terms = readonly (readonly string[])[];

const hasAll = (words: readonly string[], terms: Terms): boolean =>
  terms.every((spellings) => spellings.some((term) => words.some((word) => word.startsWith(term))));

/** Of one segment, in the order of their numbers. */
async function numbersIn(table: Table, owner: string, id: string, terms: Terms): Promise<number[]> {
  const sets = await Promise.all(
    terms.map(async (spellings) => {
      const found = await Promise.all(spellings.map((term) => postingsWith(table, owner, id, term)));
      return new Set(found.flat().flatMap(({ numbers }) => numbers));
    }),
  );
  const [first, ...others] = sets.sort((a, b) => a.size - b.size);
  return [...(first ?? [])].filter((number) => others.every((set) => set.has(number))).sort((a, b) => a - b);
}

/** Numbers of a segment that are looked up at a time. */
const SOME = 24;

/** A segment's documents, read as they are asked for. */
class Stream {
  readonly #table: Table;
  readonly #owner: string;
  readonly #id: string;
  readonly #numbers: number[];
  readonly #ready: StoredDoc[] = [];

  constructor(table: Table, owner: string, id: string, numbers: number[]) {
    this.#table = table;
    this.#owner = owner;
    this.#id = id;
    this.#numbers = numbers;
  }

  async fill(): Promise<void> {
    if (this.#ready.length > 0 || this.#numbers.length === 0) return;
    const some = this.#numbers.splice(0, SOME);
    const docs = await docsAt(this.#table, this.#owner, this.#id, some);
    this.#ready.push(...some.flatMap((number) => docs.get(number) ?? []));
  }

  get head(): StoredDoc | undefined {
    return this.#ready[0];
  }

  shift(): void {
    this.#ready.shift();
  }
}

const wordsOf = ({ words }: LogItem) => words.split(' ');

async function* found(
  table: Table,
  owner: string,
  segments: SegmentInfo[],
  log: LogItem[],
  terms: Terms,
): AsyncGenerator<StoredDoc> {
  const numbers = await Promise.all(segments.map(({ id }) => numbersIn(table, owner, id, terms)));
  const streams = segments.map(({ id }, i) => new Stream(table, owner, id, numbers[i] as number[]));
  const fresh = log.filter((item) => hasAll(wordsOf(item), terms)).sort(byAge);
  const seen = new Set<string>();
  for (;;) {
    await Promise.all(streams.map((stream) => stream.fill()));
    const heads = streams.flatMap((stream) =>
      stream.head ? [{ doc: stream.head, take: () => stream.shift() }] : [],
    );
    const [newest] = fresh;
    if (newest) heads.push({ doc: newest, take: () => fresh.shift() });
    const first = heads.sort((a, b) => byAge(a.doc, b.doc))[0];
    if (!first) return;
    first.take();
    // One that is being sorted is in the log and in a segment.
    if (!seen.has(first.doc.id)) yield first.doc;
    seen.add(first.doc.id);
  }
}

/** Reads log and state, then each term in each segment, then the documents that are asked for. */
export async function* findDocs(table: Table, owner: string, terms: Terms): AsyncGenerator<StoredDoc> {
  if (terms.length === 0) return;
  const { log, segments } = await findLogAndState(table, owner);
  yield* found(table, owner, segments, log, terms);
}
