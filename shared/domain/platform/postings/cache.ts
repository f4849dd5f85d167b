import { type QueryInput, type QueryPage, queryInput } from '#shared/table/requests.ts';
import type { Table } from '#shared/table/table.ts';

/** What reads posting lists: the table, or what it gave before. */
export type ReadsLists = Pick<Table, 'query'>;

interface Ranked {
  SK: string;
}

/** A range of a list, from its upper end down to where it was read. */
class Beginning {
  readonly #top: string;
  readonly #postings: Ranked[] = [];
  /** Everything above it is read. */
  #bound: string;
  #ended = false;
  #reading: Promise<void> | undefined;

  constructor(top: string) {
    this.#top = top;
    this.#bound = top;
  }

  /** Whether what is below this bound follows what was read, or is a part of it. */
  reaches(bound: string): boolean {
    return bound <= this.#top && (this.#ended || bound >= this.#bound);
  }

  /** As the table would return it, but perhaps less; reads on where nothing below `to` is read. */
  async below(to: string, limit: number, read: (to: string) => Promise<QueryPage<Ranked>>) {
    if (to === this.#bound && !this.#ended) {
      this.#reading ??= this.#extend(read).finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    const found = this.#postings.filter(({ SK }) => SK < to);
    const items = found.slice(0, limit);
    if (items.length < found.length) return { items, last: { SK: items.at(-1)?.SK } };
    return { items, last: this.#ended ? undefined : { SK: this.#bound } };
  }

  async #extend(read: (to: string) => Promise<QueryPage<Ranked>>): Promise<void> {
    const { items, last } = await read(this.#bound);
    // Queries include the upper bound. A posting there was read before, or is outside of the range.
    this.#postings.push(...items.filter(({ SK }) => SK !== this.#bound));
    if (last) this.#bound = last.SK as string;
    else this.#ended = true;
  }
}

/**
 * Several conjunctions of one request read the same lists from the top: each posting is read once. What is read further down,
 * with a gap, or upwards, is not kept.
 */
export class PostingCache implements ReadsLists {
  readonly #table: ReadsLists;
  readonly #beginnings = new Map<string, Beginning>();

  constructor(table: ReadsLists) {
    this.#table = table;
  }

  async query<T>(input: QueryInput<T>): Promise<QueryPage<T>> {
    const { sort, newest_first, after, limit } = input;
    if (!newest_first || after || !sort || !('from' in sort)) return this.#table.query(input);
    const { from, to } = sort;
    const within = (bound: string) => ({ ...input, sort: { from, to: bound } });
    const name = JSON.stringify(queryInput('', { ...within(''), limit: 0 } as QueryInput));
    const known = this.#beginnings.get(name) ?? new Beginning(to);
    this.#beginnings.set(name, known);
    if (!known.reaches(to)) return this.#table.query(input);
    const read = (bound: string) => this.#table.query<Ranked>(within(bound) as QueryInput<Ranked>);
    return (await known.below(to, limit, read)) as QueryPage<T>;
  }
}
