import type { Table } from '#shared/table/table.ts';
import type { Posting } from './posting.ts';
import { END, isAhead, type ListRange, type Order, type OwnedRange, PostingReader } from './reader.ts';

/**
 * A query in conjunctive normal form: a result is in at least one range of every clause. The lists are merged by rank,
 * like sorted files.
 */
export type Clauses<Range> = Range[][];

/** The same ranges of one owner's lists. */
export function ownedBy<P extends Posting>(
  owner: string,
  clauses: Clauses<ListRange<P>>,
): Clauses<OwnedRange<P>> {
  return clauses.map((ranges) => ranges.map((range) => ({ ...range, owner })));
}

type Disjunction<P extends Posting> = PostingReader<P>[];

/** How many postings are left, when all are read. */
const leftOf = <P extends Posting>(disjunction: Disjunction<P>) =>
  disjunction.reduce((sum, { left }) => sum + left, 0);

export interface Reading {
  /** Postings of the first page of each range. */
  page_size: number;
  /** Sequential reads at most; the rest is left to another request. */
  max_steps: number;
  /** Descending when omitted. */
  order?: Order;
  /**
   * Where a clause has no more postings than this left, and all of them are read, another one is not read further: what
   * it may have is for the caller to check (`nextCandidate`).
   */
  few?: number;
}

export interface PostingCandidate<P extends Posting> {
  posting: P;
  /** Whether it is in all clauses. */
  isSure: boolean;
}

/** How pages grow: what is in several lists may be far down in each. */
const ALONE = 2;
const COMPARED = 4;

/** The postings in all clauses, in the order of their ranks. */
export class Conjunction<P extends Posting> {
  readonly #order: Order;
  readonly #isAhead: (a: string, b: string) => boolean;
  readonly #disjunctions: Disjunction<P>[];
  readonly #few: number;
  #steps: number;
  #ended = false;

  constructor(table: Table, clauses: Clauses<OwnedRange<P>>, reading: Reading) {
    this.#order = reading.order ?? 'desc';
    this.#isAhead = isAhead[this.#order];
    const pages = { size: reading.page_size, growth: clauses.length > 1 ? COMPARED : ALONE };
    this.#disjunctions = clauses.map((ranges) =>
      ranges.map((range) => new PostingReader(table, range, pages, this.#order)),
    );
    this.#few = reading.few ?? 0;
    this.#steps = reading.max_steps;
  }

  /** True when there are no more; false after `next` returned nothing means that the steps are used up. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Everything not returned yet is behind this bound: below it; in ascending order at it or above. */
  get position(): string {
    return this.#disjunctions
      .map((disjunction) => this.#boundOf(disjunction))
      .reduce((last, bound) => (this.#isAhead(last, bound) ? bound : last));
  }

  #headOf(disjunction: Disjunction<P>): P | undefined {
    return disjunction.reduce<P | undefined>(
      (first, { head }) => (head && (!first || this.#isAhead(head.SK, first.SK)) ? head : first),
      undefined,
    );
  }

  #boundOf(disjunction: Disjunction<P>): string {
    return disjunction
      .map(({ bound }) => bound)
      .reduce((first, bound) => (this.#isAhead(bound, first) ? bound : first), END[this.#order]);
  }

  /**
   * The readers to advance before the first rank of the disjunction is known; not those whose rest is behind it in any
   * case.
   */
  #hungryOf(disjunction: Disjunction<P>): PostingReader<P>[] {
    const head = this.#headOf(disjunction);
    return disjunction.filter((reader) => (head ? reader.mayPrecede(head.SK) : reader.hungry));
  }

  /** Reads the first postings of all lists, for results that are wanted later. */
  async readAhead(): Promise<void> {
    await this.#read(this.#few);
  }

  async next(): Promise<P | undefined> {
    return (await this.#next(0))?.posting;
  }

  /** The next posting that may be in all clauses. */
  nextCandidate(): Promise<PostingCandidate<P> | undefined> {
    return this.#next(this.#few);
  }

  async #next(few: number): Promise<PostingCandidate<P> | undefined> {
    while (await this.#read(few)) {
      const known = this.#disjunctions.filter((each) => this.#hungryOf(each).length === 0);
      const heads = known.flatMap((disjunction) => this.#headOf(disjunction) ?? []);
      if (heads.length < known.length) {
        this.#ended = true;
        return undefined;
      }
      const last = heads.reduce((late, head) => (this.#isAhead(late.SK, head.SK) ? head : late));
      if (heads.every((head) => head.SK === last.SK))
        return { posting: this.#give(last), isSure: known.length === this.#disjunctions.length };
      for (const reader of this.#disjunctions.flat()) reader.drop(last.SK);
    }
    return undefined;
  }

  async take(count: number): Promise<P[]> {
    const taken: P[] = [];
    while (taken.length < count) {
      const next = await this.next();
      if (!next) break;
      taken.push(next);
    }
    return taken;
  }

  /** Reads all lists without a buffered posting in parallel; false when no step is left. */
  async #read(few = 0): Promise<boolean> {
    const hungry = this.#disjunctions.flatMap((disjunction) => this.#hungryOf(disjunction));
    // When one clause is exhausted, the conjunction is: no other list is read.
    if (hungry.length === 0 || this.#disjunctions.some((each) => leftOf(each) <= few)) return true;
    if (this.#steps-- <= 0) return false;
    const beside = this.#disjunctions.length > 1 ? this.#lowBeside(hungry) : [];
    await Promise.all([...hungry, ...beside].map((reader) => reader.read()));
    return this.#read(few);
  }

  /** Of the same clauses: where lists are compared, the others of a clause are soon needed as well. */
  #lowBeside(hungry: PostingReader<P>[]): PostingReader<P>[] {
    const same = this.#disjunctions.filter((each) => each.some((reader) => hungry.includes(reader)));
    return same.flat().filter((reader) => reader.isLow && !hungry.includes(reader));
  }

  /** The posting with the fields of all postings of its rank. */
  #give({ SK }: P): P {
    const same = this.#disjunctions.flat().flatMap(({ head }) => (head?.SK === SK ? [head] : []));
    for (const reader of this.#disjunctions.flat()) reader.take(SK);
    return Object.assign({}, ...same) as P;
  }
}
