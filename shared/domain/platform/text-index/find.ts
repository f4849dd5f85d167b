import type { Table } from '#shared/table/table.ts';
import type { Posting } from './packed.ts';
import { byAge, lookedFor, markOf } from './segment.ts';
import {
  docsAt,
  findLogAndState,
  type LogItem,
  type Place,
  postingsWith,
  type SegmentInfo,
  type StoredDoc,
} from './store.ts';

/**
 * The documents that have, for each of the terms, a word that begins with one of its spellings: the newest first. Words are read
 * once for all that is asked of where they are.
 */

type Terms = readonly (readonly string[])[];

export interface Asked {
  terms: Terms;
  /** Words of which a document has one; all documents without them. */
  among?: readonly string[] | undefined;
  now: Date;
}

export interface Wanted {
  /** Documents that are looked up at a time. */
  at_once?: number;
  /** Whether words with this mark count; all do without it. */
  counts?: (mark: string) => boolean;
  /** Without those that have all terms in words with such a mark. */
  except?: readonly ((mark: string) => boolean)[];
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

/** What a segment has of the words that are asked for: the postings of each term, and of the words of `among`. */
interface ReadSegment {
  info: SegmentInfo;
  place: Place;
  of_terms: Posting[][];
  among: Posting[] | undefined;
}

async function readSegment(
  table: Table,
  owner: string,
  info: SegmentInfo,
  { terms, among, now }: Asked,
): Promise<ReadSegment> {
  const place = { owner, id: info.id, consistent: info.made > now.getTime() - SETTLED };
  const read = async (words: readonly string[]) =>
    (await Promise.all(words.map((word) => postingsWith(table, place, word)))).flat();
  const [of_terms, of_words] = await Promise.all([
    Promise.all(terms.map((spellings) => read(spellings.map(lookedFor)))),
    among && read(among),
  ]);
  return { info, place, of_terms, among: of_words };
}

const numbersOf = (postings: Posting[]) => new Set(postings.flatMap(({ numbers }) => numbers));

/** The documents with all terms, in the order of their numbers. */
function numbersIn({ of_terms, among }: ReadSegment, counts: (mark: string) => boolean): number[] {
  const sets = of_terms.map((postings) => numbersOf(postings.filter(({ word }) => counts(markOf(word)))));
  if (among) sets.push(numbersOf(among));
  const [first, ...others] = sets.sort((a, b) => a.size - b.size);
  return [...(first ?? [])].filter((number) => others.every((set) => set.has(number))).sort((a, b) => a - b);
}

function numbersBut(segment: ReadSegment, { counts, except }: Required<Omit<Wanted, 'at_once'>>): number[] {
  const others = new Set(except.flatMap((each) => numbersIn(segment, each)));
  return numbersIn(segment, counts).filter((number) => !others.has(number));
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

interface Sorted {
  streams: Stream[];
  /** Ids of documents in the log, which has them as they are now. */
  logged: ReadonlySet<string>;
}

async function* newestOf(
  { streams, logged }: Sorted,
  fresh: LogItem[],
  at_once: number,
): AsyncGenerator<StoredDoc> {
  const seen = new Set<string>();
  for (;;) {
    const heads = streams.flatMap((stream) =>
      stream.head
        ? [{ doc: stream.head, isNow: !logged.has(stream.head.id), take: () => stream.shift() }]
        : [],
    );
    const [newest] = fresh;
    if (newest) heads.push({ doc: newest, isNow: true, take: () => fresh.shift() });
    const first = heads.sort((a, b) => byAge(a.doc, b.doc))[0];
    const unread = hungry(streams, first?.doc.moment ?? Number.NEGATIVE_INFINITY, at_once);
    if (unread.length > 0) {
      await Promise.all(unread.map((stream) => stream.fill(at_once)));
      continue;
    }
    if (!first) return;
    first.take();
    // One that came back is in two segments.
    const name = `${first.doc.id} ${first.doc.moment}`;
    if (!first.isNow || seen.has(name)) continue;
    seen.add(name);
    yield first.doc;
  }
}

/** What an index has of some words. */
export interface ReadTerms {
  docs(wanted?: Wanted): FoundDocs;
}

/** Reads each term in each segment. */
export async function readTerms(
  table: Table,
  { owner, segments, log }: OpenIndex,
  asked: Asked,
): Promise<ReadTerms> {
  const { terms, among } = asked;
  const isAsked = terms.length > 0;
  const read = await Promise.all(
    (isAsked ? segments : []).map((info) => readSegment(table, owner, info, asked)),
  );
  const logged = new Set(log.map(({ id }) => id));
  const docs = ({ at_once = SOME, counts = () => true, except = [] }: Wanted = {}): FoundDocs => {
    const streams = read.map(
      (segment) => new Stream(table, segment.place, segment.info, numbersBut(segment, { counts, except })),
    );
    const isFound = (item: LogItem) => {
      const words = wordsOf(item);
      const has = (some: (mark: string) => boolean) =>
        hasAll(
          words.filter((word) => some(markOf(word))),
          terms,
        );
      return has(counts) && !except.some(has) && (!among || among.some((word) => words.includes(word)));
    };
    const fresh = isAsked ? log.filter(isFound).sort(byAge) : [];
    const count = streams.reduce((sum, { unread }) => sum + unread, fresh.length);
    return { count, docs: newestOf({ streams, logged }, fresh, at_once) };
  };
  return { docs };
}

/** All of them, wherever in a document the words are. */
export const findDocs = async (
  table: Table,
  index: OpenIndex,
  { at_once, ...asked }: Asked & Pick<Wanted, 'at_once'>,
): Promise<FoundDocs> =>
  (await readTerms(table, index, asked)).docs(at_once === undefined ? {} : { at_once });
