import { keys } from '#shared/table/keys.ts';
import type { AllOf, Table } from '#shared/table/table.ts';
import type { Posting } from './posting.ts';

/** Ranks, or beginnings of ranks: from `from` on, and before `before`. */
export interface Bounds {
  from?: string | undefined;
  before?: string | undefined;
}

/** A part of a posting list. */
export interface ListRange<P extends Posting = Posting> extends Bounds {
  list: string;
  /** What postings are like that are kept; the others are read all the same. */
  filter?: AllOf<P> | undefined;
}

/** Whose list it is: a user, or what several users see the same of. */
export interface OwnedRange<P extends Posting = Posting> extends ListRange<P> {
  owner: string;
}

/** Below and above every rank. */
const LOWEST = '!';
const HIGHEST = '~';

const higher = (a: string, b: string) => (a > b ? a : b);
const lower = (a: string, b: string) => (a < b ? a : b);

/** The range within other bounds. */
export function within<R extends object>(range: R & Bounds, bounds: Bounds): R & Bounds {
  return {
    ...range,
    from: higher(range.from ?? LOWEST, bounds.from ?? LOWEST),
    before: lower(range.before ?? HIGHEST, bounds.before ?? HIGHEST),
  };
}

/** True for a range in which no rank can be. DynamoDB refuses to look there. */
export const isEmpty = ({ from = LOWEST, before = HIGHEST }: Bounds) => from >= before;

/** The first rank that is not above `rank` any more. */
const justAbove = (rank: string) => `${rank}${HIGHEST}`;

export function rangeQuery<P extends Posting>(range: OwnedRange<P>) {
  const { owner, list, from = LOWEST, before = HIGHEST, filter } = range;
  // Both ends are inclusive; no rank equals a bound, or it is dropped by the reader.
  return { partition: keys.posting(owner, list, '').PK, sort: { from, to: before }, filter };
}

/** Postings read at once at most; a page of them has about 500 kB, and DynamoDB stops at 1 MB. */
const LARGEST_PAGE = 4_000;

/** Reads one range from the highest rank down, a page at a time, each page twice the one before. */
export class PostingReader<P extends Posting> {
  readonly #table: Table;
  #range: OwnedRange<P>;
  #size: number;
  #page: P[] = [];
  #at = 0;
  #ended: boolean;

  constructor(table: Table, range: OwnedRange<P>, size: number) {
    this.#table = table;
    this.#range = range;
    this.#size = size;
    this.#ended = isEmpty(range);
  }

  /** The highest posting not taken yet; undefined when a page has to be read first, or nothing is left. */
  get head(): P | undefined {
    return this.#page[this.#at];
  }

  get ended(): boolean {
    return this.#ended && this.head === undefined;
  }

  get hungry(): boolean {
    return !this.#ended && this.head === undefined;
  }

  /** Everything that is still to come is before this. */
  get bound(): string {
    if (this.ended) return LOWEST;
    return this.head ? justAbove(this.head.SK) : (this.#range.before ?? HIGHEST);
  }

  async read(): Promise<void> {
    const { before = HIGHEST } = this.#range;
    const page = await this.#table.query<P>({
      ...rangeQuery(this.#range),
      newest_first: true,
      // The place that a range ends before is read as well, and dropped.
      limit: this.#size + 1,
    });
    this.#page = page.items.filter((posting) => posting.SK !== before);
    this.#at = 0;
    this.#size = Math.min(2 * this.#size, LARGEST_PAGE);
    if (page.last) this.#range = { ...this.#range, before: page.last.SK as string };
    else this.#ended = true;
  }

  /** Leaves out what is above `rank`. */
  drop(rank: string): void {
    while (this.head && this.head.SK > rank) this.#at++;
    if (!this.hungry) return;
    this.#range = within(this.#range, { before: justAbove(rank) });
    this.#ended = isEmpty(this.#range);
  }

  take(rank: string): void {
    if (this.head?.SK === rank) this.#at++;
  }
}
