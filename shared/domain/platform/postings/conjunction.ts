import type { Table } from '#shared/table/table.ts';
import type { Posting } from './posting.ts';
import { type ListRange, type OwnedRange, PostingReader } from './reader.ts';

/**
 * A query in conjunctive normal form: what is found stands in at least one range of every clause. The lists are merged by
 * rank, as one merges sorted files.
 */
export type Clauses<Range> = Range[][];

/** The same parts of one owner's lists. */
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

/** What has to be read before the highest rank of the disjunction is known: not what comes below it in any case. */
function hungryOf<P extends Posting>(disjunction: Disjunction<P>): PostingReader<P>[] {
  const head = headOf(disjunction);
  return disjunction.filter((reader) => reader.hungry && (!head || reader.bound > head.SK));
}

export interface Reading {
  /** Postings of the first page of each range. */
  page_size: number;
  /** Steps of reading, one after the other, before the rest is left to another request. */
  max_steps: number;
}

/** What stands in all clauses, highest rank first. */
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

  /** True when there are no more; false after `next` gave nothing means that the steps are used up. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Everything that was not given yet is before this. */
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

  /** Reads where nothing is known, all at once; false when no step is left. */
  async #read(): Promise<boolean> {
    const hungry = this.#disjunctions.flatMap(hungryOf);
    // What is exhausted somewhere is exhausted everywhere: no other list need be read.
    if (hungry.length === 0 || this.#disjunctions.some((each) => each.every(({ ended }) => ended)))
      return true;
    if (this.#steps-- <= 0) return false;
    await Promise.all(hungry.map((reader) => reader.read()));
    return this.#read();
  }

  /** With what any of its postings says beside it. */
  #give({ SK }: P): P {
    const same = this.#disjunctions.flat().flatMap(({ head }) => (head?.SK === SK ? [head] : []));
    for (const reader of this.#disjunctions.flat()) reader.take(SK);
    return Object.assign({}, ...same) as P;
  }
}
