import type { ReadsLists } from './cache.ts';
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

export interface Reading<P extends Posting = Posting> {
  /** Postings of the first page of each range. */
  page_size: number;
  /** How many times as large each page is as the one before; by the clauses when omitted. */
  growth?: number | undefined;
  /** Sequential reads at most; the rest is left to another request. */
  max_steps: number;
  /** Descending when omitted. */
  order?: Order;
  /**
   * Where a clause has no more postings than this left, and all of them are read, another one is not read further: what
   * it may have is for the caller to check (`nextCandidate`).
   */
  few?: number;
  /** Postings that it returns false for are in no result: they are left out. */
  keeps?: (posting: P) => boolean;
  /**
   * Where the first page shows that another clause has at least so many times as many postings as the one with the fewest,
   * only that one is read further: the rest is for the caller to check (`nextCandidate`).
   */
  leads_from?: number;
  /** True when nothing more is wanted: then no step is left. */
  stops?: () => boolean;
}

export interface PostingCandidate<P extends Posting> {
  posting: P;
  /** Whether it is in all clauses. */
  isSure: boolean;
}

/** How pages grow: what is in several lists, or is left by a filter, may be far down. */
const ALONE = 2;
const SEARCHED = 4;

type Checked = Required<Pick<Reading, 'few' | 'leads_from'>>;

const NOTHING: Checked = { few: 0, leads_from: Number.POSITIVE_INFINITY };

const readyIn = <P extends Posting>(disjunction: Disjunction<P>) =>
  disjunction.reduce((sum, { ready }) => sum + ready, 0);

/** The postings in all clauses, in the order of their ranks. */
export class Conjunction<P extends Posting> {
  readonly #order: Order;
  readonly #isAhead: (a: string, b: string) => boolean;
  readonly #disjunctions: Disjunction<P>[];
  /** What is left to the caller of `nextCandidate`. */
  readonly #checked: Checked;
  readonly #stops: () => boolean;
  /** Results may be far down in the lists. */
  readonly isSearched: boolean;
  /** How many times as many postings another clause has as the one with the fewest, as the first page shows it. */
  #ratio: number | undefined;
  #steps: number;
  #ended = false;
  /** Sequential reads so far. */
  reads = 0;

  constructor(table: ReadsLists, clauses: Clauses<OwnedRange<P>>, reading: Reading<P>) {
    this.#order = reading.order ?? 'desc';
    this.#isAhead = isAhead[this.#order];
    this.isSearched = clauses.length > 1 || clauses.flat().some(({ filter }) => filter);
    const growth = reading.growth ?? (this.isSearched ? SEARCHED : ALONE);
    const pages = { size: reading.page_size, growth, keeps: reading.keeps };
    this.#disjunctions = clauses.map((ranges) =>
      ranges.map((range) => new PostingReader(table, range, pages, this.#order)),
    );
    const { few, leads_from } = { ...NOTHING, ...reading };
    this.#checked = { few, leads_from };
    this.#stops = reading.stops ?? (() => false);
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

  /** Reads what the next candidate needs. */
  async readAhead(): Promise<void> {
    await this.#read(this.#checked);
  }

  /** Begins with it, by one read at most. */
  async readOnce(): Promise<void> {
    await this.#read(this.#checked, 1);
  }

  /** The same as `readAhead` once a candidate was given, where few postings become one: others wait meanwhile. */
  async readOn(): Promise<void> {
    if (this.isSearched) await this.readAhead();
  }

  /** Postings that are read and not given, of the clause with the fewest. */
  get ready(): number {
    return readyIn(this.#leader());
  }

  /** Whether there are no others in it. */
  get isRead(): boolean {
    return leftOf(this.#leader()) < Number.POSITIVE_INFINITY;
  }

  async next(): Promise<P | undefined> {
    return (await this.#next(NOTHING))?.posting;
  }

  /** The next posting that may be in all clauses. */
  nextCandidate(): Promise<PostingCandidate<P> | undefined> {
    return this.#next(this.#checked);
  }

  async #next(checked: Checked): Promise<PostingCandidate<P> | undefined> {
    while (await this.#read(checked)) {
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

  /** So many of those that are kept. */
  take(count: number, keeps?: (posting: P) => boolean): Promise<P[]> {
    return this.#take(count, NOTHING, keeps);
  }

  /** The same of those that may be in all clauses. */
  takeCandidates(count: number): Promise<P[]> {
    return this.#take(count, this.#checked);
  }

  async #take(count: number, checked: Checked, keeps = (_: P) => true): Promise<P[]> {
    const taken: P[] = [];
    while (taken.length < count) {
      const next = await this.#next(checked);
      if (!next) break;
      if (keeps(next.posting)) taken.push(next.posting);
    }
    return taken;
  }

  /** Reads all lists without a buffered posting in parallel; false when no step is left. */
  async #read(checked: Checked, reads = Number.POSITIVE_INFINITY): Promise<boolean> {
    const { few } = checked;
    const needed = this.#isLed(checked) ? [this.#leader()] : this.#disjunctions;
    const hungry = needed.flatMap((disjunction) => this.#hungryOf(disjunction));
    // When one clause is exhausted, the conjunction is: no other list is read.
    if (hungry.length === 0 || this.#disjunctions.some((each) => leftOf(each) <= few)) return true;
    if (reads === 0) return true;
    if (this.#steps-- <= 0 || this.#stops()) return false;
    this.reads++;
    const beside = this.isSearched ? this.#lowBeside(hungry) : [];
    await Promise.all([...hungry, ...beside].map((reader) => reader.read()));
    this.#ratio ??= this.#ratioNow();
    return this.#read(checked, reads - 1);
  }

  #isLed({ leads_from }: Checked): boolean {
    return this.#ratio !== undefined && this.#ratio >= leads_from;
  }

  /** The clause that was read furthest: pages are of one size, so it has the fewest postings. */
  #leader(): Disjunction<P> {
    return this.#disjunctions.reduce((furthest, each) =>
      this.#isAhead(this.#frontierOf(furthest), this.#frontierOf(each)) ? each : furthest,
    );
  }

  /** Everything of the clause that is before this bound is read. */
  #frontierOf(disjunction: Disjunction<P>): string {
    return disjunction
      .map(({ frontier }) => frontier)
      .reduce((first, each) => (this.#isAhead(each, first) ? each : first));
  }

  #ratioNow(): number {
    const leader = this.#leader();
    const ratios = this.#disjunctions.map((each) => {
      const bound = this.#frontierOf(each);
      const readOf = (disjunction: Disjunction<P>) =>
        disjunction.reduce((sum, reader) => sum + reader.readBefore(bound), 0);
      return readOf(each) / Math.max(1, readOf(leader));
    });
    return Math.max(...ratios);
  }

  /** Of the same clauses: the others of a clause are soon needed as well. */
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
