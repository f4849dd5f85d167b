import { keys } from '#shared/table/keys.ts';
import type { AllOf, Table } from '#shared/table/table.ts';
import type { ReadsLists } from './cache.ts';
import type { Posting } from './posting.ts';

/** Ranks, or prefixes of ranks: from `from`, and before `before`. */
export interface Bounds {
  from?: string | undefined;
  before?: string | undefined;
}

/** A range of a posting list. */
export interface ListRange<P extends Posting = Posting> extends Bounds {
  list: string;
  /** A filter on the postings; those that do not match are read all the same. */
  filter?: AllOf<P> | undefined;
  /** Postings of its first page, where more is known of the range than that it is one of several. */
  first?: number;
}

/** With the list's owner: a user, or an account whose users see the same. */
export interface OwnedRange<P extends Posting = Posting> extends ListRange<P> {
  owner: string;
}

/** Below and above every rank. */
const LOWEST = '!';
const HIGHEST = '~';

const higher = (a: string, b: string) => (a > b ? a : b);
const lower = (a: string, b: string) => (a < b ? a : b);

/** The range within further bounds. */
export function within<R extends object>(range: R & Bounds, bounds: Bounds): R & Bounds {
  return {
    ...range,
    from: higher(range.from ?? LOWEST, bounds.from ?? LOWEST),
    before: lower(range.before ?? HIGHEST, bounds.before ?? HIGHEST),
  };
}

/** True for a range that can contain no rank. DynamoDB refuses such a query. */
export const isEmpty = ({ from = LOWEST, before = HIGHEST }: Bounds) => from >= before;

/** The first rank above `rank`. */
const justAbove = (rank: string) => `${rank}${HIGHEST}`;

export function rangeQuery<P extends Posting>(range: OwnedRange<P>) {
  const { owner, list, from = LOWEST, before = HIGHEST, filter } = range;
  // Both ends are inclusive; a rank equal to a bound does not occur, or the reader drops it.
  return { partition: keys.posting(owner, list, '').PK, sort: { from, to: before }, filter };
}

/** Postings of one read; a page of them has about 500 kB, and DynamoDB stops at 1 MB. */
export const LARGEST_PAGE = 4_000;

/** All postings of a range, from the lowest rank up. */
export async function readRange<P extends Posting>(table: Table, range: OwnedRange<P>): Promise<P[]> {
  const found: P[] = [];
  if (isEmpty(range)) return found;
  let after: Record<string, unknown> | undefined;
  do {
    const page = await table.query<P>({ ...rangeQuery(range), limit: LARGEST_PAGE, after });
    found.push(...page.items);
    after = page.last;
  } while (after);
  return found;
}

/** From the highest rank down, or from the lowest up. */
export type Order = 'desc' | 'asc';

/** Whether the first of two ranks comes before the other one. */
export const isAhead: Record<Order, (a: string, b: string) => boolean> = {
  desc: (a, b) => a > b,
  asc: (a, b) => a < b,
};

/** What is left of a range behind a bound: below it; in ascending order at it or above. */
export const restFrom: Record<Order, (bound: string) => Bounds> = {
  desc: (bound) => ({ before: bound }),
  asc: (bound) => ({ from: bound }),
};

/** The bound behind `rank`. */
export const behind: Record<Order, (rank: string) => string> = {
  desc: (rank) => rank,
  asc: (rank) => justAbove(rank),
};

/** What is left of a range from `rank` on. */
const onwards: Record<Order, (rank: string) => Bounds> = {
  desc: (rank) => ({ before: justAbove(rank) }),
  asc: (rank) => ({ from: rank }),
};

/** Where a range begins: all of its ranks are at this bound or behind it. */
const beginning: Record<Order, (bounds: Bounds) => string> = {
  desc: ({ before = HIGHEST }) => before,
  asc: ({ from = LOWEST }) => from,
};

/** A bound behind every rank. */
export const END: Record<Order, string> = { desc: LOWEST, asc: HIGHEST };

export interface Pages<P extends Posting> {
  /** Postings of the first page. */
  size: number;
  /** How many times as large each page is as the one before. */
  growth: number;
  /** The others are left out. */
  keeps?: ((posting: P) => boolean) | undefined;
}

/** Reads one range in order, page by page. */
export class PostingReader<P extends Posting> {
  readonly #table: ReadsLists;
  readonly #order: Order;
  #range: OwnedRange<P>;
  readonly #growth: number;
  readonly #keeps: (posting: P) => boolean;
  #size: number;
  #page: P[] = [];
  #at = 0;
  #ended: boolean;

  constructor(table: ReadsLists, range: OwnedRange<P>, pages: Pages<P>, order: Order) {
    this.#table = table;
    this.#order = order;
    this.#range = range;
    this.#size = range.first ?? pages.size;
    this.#growth = pages.growth;
    this.#keeps = pages.keeps ?? (() => true);
    this.#ended = isEmpty(range);
  }

  /** The next posting; undefined when a page must be read first, or nothing is left. */
  get head(): P | undefined {
    return this.#page[this.#at];
  }

  get ended(): boolean {
    return this.#ended && this.head === undefined;
  }

  /** Postings before its end; infinite until all are read. */
  get left(): number {
    return this.#ended ? this.ready : Number.POSITIVE_INFINITY;
  }

  /** Postings that are read and not given. */
  get ready(): number {
    return this.#page.length - this.#at;
  }

  /** Half of what was read last is given, or nothing of it was kept; and not all is read. */
  get isLow(): boolean {
    return !this.#ended && 2 * this.ready <= this.#page.length;
  }

  get hungry(): boolean {
    return !this.#ended && this.head === undefined;
  }

  /** All remaining postings are behind this bound; in ascending order one may be at it. */
  get bound(): string {
    if (this.ended) return END[this.#order];
    return beginning[this.#order](this.head ? onwards[this.#order](this.head.SK) : this.#range);
  }

  /** Everything that is not read is behind this bound; in ascending order it may be at it. */
  get frontier(): string {
    return this.#ended ? END[this.#order] : beginning[this.#order](this.#range);
  }

  /** Postings that are read and not given, and are before the bound. */
  readBefore(bound: string): number {
    return this.#page.slice(this.#at).filter(({ SK }) => isAhead[this.#order](SK, bound)).length;
  }

  /** Whether an unread posting may be at this rank or before it. */
  mayPrecede(rank: string): boolean {
    return this.hungry && (this.#order === 'desc' ? this.bound > rank : this.bound <= rank);
  }

  async read(): Promise<void> {
    const { before = HIGHEST } = this.#range;
    const page = await this.#table.query<P>({
      ...rangeQuery(this.#range),
      newest_first: this.#order === 'desc',
      // The query includes the upper bound, so it is dropped here.
      limit: this.#size + 1,
    });
    const kept = page.items.filter((posting) => posting.SK !== before && this.#keeps(posting));
    this.#page = [...this.#page.slice(this.#at), ...kept];
    this.#at = 0;
    this.#size = Math.min(this.#growth * this.#size, LARGEST_PAGE);
    if (page.last) this.#narrow(this.#behind(page.last.SK as string));
    else this.#ended = true;
  }

  #behind(rank: string): Bounds {
    return restFrom[this.#order](behind[this.#order](rank));
  }

  #narrow(bounds: Bounds): void {
    this.#range = within(this.#range, bounds);
    this.#ended = isEmpty(this.#range);
  }

  /** Skips the postings before `rank`. */
  drop(rank: string): void {
    while (this.head && isAhead[this.#order](this.head.SK, rank)) this.#at++;
    if (this.hungry) this.#narrow(onwards[this.#order](rank));
  }

  take(rank: string): void {
    if (this.head?.SK === rank) this.#at++;
  }
}
