import type { Table } from '#shared/table/table.ts';
import type { Posting } from './posting.ts';
import { type ListRange, type OwnedRange, PostingReader } from './reader.ts';

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

const headOf = <P extends Posting>(disjunction: Disjunction<P>): P | undefined =>
  disjunction.reduce<P | undefined>(
    (first, { head }) => (head && (!first || head.SK > first.SK) ? head : first),
    undefined,
  );

const boundOf = <P extends Posting>(disjunction: Disjunction<P>): string =>
  disjunction.reduce((highest, { bound }) => (bound > highest ? bound : highest), '');

/**
 * The readers to advance before the highest rank of the disjunction is known; not those whose rest is lower in any
 * case.
 */
function hungryOf<P extends Posting>(disjunction: Disjunction<P>): PostingReader<P>[] {
  const head = headOf(disjunction);
  return disjunction.filter((reader) => reader.hungry && (!head || reader.bound > head.SK));
}

export interface Reading {
  /** Postings of the first page of each range. */
  page_size: number;
  /** Sequential reads at most; the rest is left to another request. */
  max_steps: number;
}

/** The postings in all clauses, highest rank first. */
export class Conjunction<P extends Posting> {
  readonly #disjunctions: Disjunction<P>[];
  #steps: number;
  #ended = false;

  constructor(table: Table, clauses: Clauses<OwnedRange<P>>, reading: Reading) {
    this.#disjunctions = clauses.map((ranges) =>
      ranges.map((range) => new PostingReader(table, range, reading.page_size)),
    );
    this.#steps = reading.max_steps;
  }

  /** True when there are no more; false after `next` returned nothing means that the steps are used up. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Everything not returned yet comes before this rank. */
  get position(): string {
    return this.#disjunctions.map(boundOf).reduce((lowest, bound) => (bound < lowest ? bound : lowest));
  }

  async next(): Promise<P | undefined> {
    while (await this.#read()) {
      const heads = this.#disjunctions.flatMap((disjunction) => headOf(disjunction) ?? []);
      if (heads.length < this.#disjunctions.length) {
        this.#ended = true;
        return undefined;
      }
      const lowest = heads.reduce((low, head) => (head.SK < low.SK ? head : low));
      if (heads.every((head) => head.SK === lowest.SK)) return this.#give(lowest);
      for (const reader of this.#disjunctions.flat()) reader.drop(lowest.SK);
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
  async #read(): Promise<boolean> {
    const hungry = this.#disjunctions.flatMap(hungryOf);
    // When one clause is exhausted, the conjunction is: no other list is read.
    if (hungry.length === 0 || this.#disjunctions.some((each) => each.every(({ ended }) => ended)))
      return true;
    if (this.#steps-- <= 0) return false;
    await Promise.all(hungry.map((reader) => reader.read()));
    return this.#read();
  }

  /** The posting with the fields of all postings of its rank. */
  #give({ SK }: P): P {
    const same = this.#disjunctions.flat().flatMap(({ head }) => (head?.SK === SK ? [head] : []));
    for (const reader of this.#disjunctions.flat()) reader.take(SK);
    return Object.assign({}, ...same) as P;
  }
}
