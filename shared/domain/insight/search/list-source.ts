import { begun } from '#shared/begun.ts';
import type { Clauses, Conjunction, Reading } from '#shared/domain/platform/postings/conjunction.ts';
import { pageSize } from '#shared/domain/platform/postings/page.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import type { OwnedRange } from '#shared/domain/platform/postings/reader.ts';
import { type Candidate, type Known, READ_BEFORE, type Source } from './kind.ts';
import { GUESSES } from './merge.ts';
import { TIER, type Tier } from './tiers.ts';

/** Of one word, records that are read rather than looked for in the lists of another word (platform/postings). */
const FEW = 50;

/** Postings of the first pages of several lists, which show what has the fewest, and how many times as large further ones are. */
const COMPARED = { page_size: 80, growth: 12 };

/** Postings that cost what it costs to read a record and check it: two read units. */
const DEAR = 60;

/** How many times as many candidates there are as those that are ready, when not all is read: at least, in several lists and in one. */
const LIKELY = { several: 2, one: 4 };

/**
 * How the lists of words are read for so many candidates: the list of one of them is enough where the others are long. Further
 * down, where records before the page are not read, all lists decide.
 */
export function readingOf<P extends Posting>(clauses: Clauses<OwnedRange<P>>, wanted: number): Reading {
  const reading = {
    ...{ max_steps: Number.POSITIVE_INFINITY, few: FEW, page_size: pageSize(clauses, wanted) },
  };
  return clauses.length > 1 && wanted <= READ_BEFORE
    ? { ...reading, ...COMPARED, leads_from: DEAR }
    : reading;
}

type Unranked = Omit<Candidate, 'tier'>;

interface Listing<P extends Posting> extends Pick<Source, 'exact' | 'tier'> {
  candidateOf(posting: P): Unranked;
  /** Candidates at most. */
  most?: number;
}

/** Candidates that posting lists name, in the order of these. */
class ListSource<P extends Posting> implements Source {
  readonly exact: boolean;
  readonly tier: Tier;
  readonly #found: Conjunction<P>;
  readonly #candidateOf: Listing<P>['candidateOf'];
  #left: number;
  #ahead: Promise<void> | undefined;
  #is_reading = false;
  readonly #peeked: Candidate[] = [];
  #peeking: Promise<void> | undefined;

  constructor(found: Conjunction<P>, listing: Listing<P>) {
    const { exact, tier, candidateOf, most = Number.POSITIVE_INFINITY } = listing;
    this.#found = found;
    this.exact = exact;
    this.tier = tier;
    this.#candidateOf = candidateOf;
    this.#left = most;
  }

  async #read(reading: Promise<void>): Promise<void> {
    this.#is_reading = true;
    await reading;
    this.#is_reading = false;
  }

  async #draw(): Promise<Candidate | undefined> {
    if (this.#left-- <= 0) return undefined;
    await this.#ahead;
    const listed = await this.#found.nextCandidate();
    if (!listed) return undefined;
    this.#ahead = begun(this.#read(this.#found.readOn()));
    const candidate = { ...this.#candidateOf(listed.posting), tier: this.tier };
    return listed.isSure ? candidate : { ...candidate, exact: false, guess: true };
  }

  async #drawAhead(count: number): Promise<void> {
    for (let sure = 0; sure < count && this.#peeked.length < sure + GUESSES; ) {
      const next = await this.#draw();
      if (!next) return;
      this.#peeked.push(next);
      if (!next.guess) sure++;
    }
  }

  async begin(): Promise<Known> {
    // Texts are only looked for when titles do not fill the page.
    const found = this.#found;
    this.#ahead ??= begun(this.#read(this.tier < TIER.text ? found.readAhead() : found.readOn()));
    await this.#ahead;
    const more = found.isSearched ? LIKELY.several : LIKELY.one;
    const count = found.isRead ? found.ready : found.ready * more;
    return { count, reads: found.reads };
  }

  isReady(): boolean {
    const { isRead, ready } = this.#found;
    return this.#peeked.length > 0 || isRead || (ready > 0 && !this.#is_reading);
  }

  async peek(count: number): Promise<Candidate[]> {
    this.#peeking ??= begun(this.#drawAhead(count));
    await this.#peeking;
    return [...this.#peeked];
  }

  async next(): Promise<Candidate | undefined> {
    await this.#peeking;
    return this.#peeked.shift() ?? this.#draw();
  }
}

export const listSource = <P extends Posting>(found: Conjunction<P>, listing: Listing<P>): Source =>
  new ListSource(found, listing);
