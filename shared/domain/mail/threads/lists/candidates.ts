import type { Table } from '#shared/table/table.ts';
import type { Posting } from './postings.ts';
import { type ListRange, ListReader } from './reader.ts';

/** Threads that are in at least one range of every union, newest first. */

type Union = ListReader[];

const headOf = (union: Union): Posting | undefined =>
  union.reduce<Posting | undefined>(
    (first, { head }) => (head && (!first || head.SK > first.SK) ? head : first),
    undefined,
  );

const boundOf = (union: Union): string =>
  union.reduce((highest, { bound }) => (bound > highest ? bound : highest), '');

/** What has to be read before the newest of the union is known: not what comes behind it in any case. */
function hungryOf(union: Union): ListReader[] {
  const head = headOf(union);
  return union.filter((reader) => reader.hungry && (!head || reader.bound > head.SK));
}

export interface Reading {
  /** Postings of the first page of each range. */
  page_size: number;
  /** Steps of reading, one after the other, before the rest is left to another request. */
  max_steps: number;
}

export class Candidates {
  readonly #unions: Union[];
  #steps: number;
  #ended = false;

  constructor(table: Table, user: string, unions: ListRange[][], reading: Reading) {
    this.#unions = unions.map((ranges) =>
      ranges.map((range) => new ListReader(table, user, range, reading.page_size)),
    );
    this.#steps = reading.max_steps;
  }

  /** True when there are no more; false after `next` gave nothing means that the steps are used up. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Everything that was not given yet is before this. */
  get position(): string {
    return this.#unions.map(boundOf).reduce((lowest, bound) => (bound < lowest ? bound : lowest));
  }

  async next(): Promise<Posting | undefined> {
    while (await this.#read()) {
      const heads = this.#unions.flatMap((union) => headOf(union) ?? []);
      if (heads.length < this.#unions.length) {
        this.#ended = true;
        return undefined;
      }
      const lowest = heads.reduce((low, head) => (head.SK < low.SK ? head : low));
      if (heads.every((head) => head.SK === lowest.SK)) return this.#give(lowest);
      for (const reader of this.#unions.flat()) reader.drop(lowest.SK);
    }
    return undefined;
  }

  async take(count: number): Promise<Posting[]> {
    const taken: Posting[] = [];
    while (taken.length < count) {
      const next = await this.next();
      if (!next) break;
      taken.push(next);
    }
    return taken;
  }

  /** Reads where nothing is known, all at once; false when no step is left. */
  async #read(): Promise<boolean> {
    const hungry = this.#unions.flatMap(hungryOf);
    // What is exhausted somewhere is exhausted everywhere: no other list need be read.
    if (hungry.length === 0 || this.#unions.some((union) => union.every(({ ended }) => ended))) return true;
    if (this.#steps-- <= 0) return false;
    await Promise.all(hungry.map((reader) => reader.read()));
    return this.#read();
  }

  /** With what any of its postings says beside it. */
  #give({ SK }: Posting): Posting {
    const same = this.#unions.flat().flatMap(({ head }) => (head?.SK === SK ? [head] : []));
    for (const reader of this.#unions.flat()) reader.take(SK);
    return Object.assign({}, ...same) as Posting;
  }
}
