import { begun } from '#shared/begun.ts';
import type { Clauses, Conjunction, Reading } from '#shared/domain/platform/postings/conjunction.ts';
import { pageSize } from '#shared/domain/platform/postings/page.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import type { OwnedRange } from '#shared/domain/platform/postings/reader.ts';
import { type Candidate, READ_BEFORE, type Source } from './kind.ts';
import { TIER } from './tiers.ts';

/** Of one word, records that are read rather than looked for in the lists of another word (platform/postings). */
const FEW = 50;

/** Postings of the first pages of several lists, which show what has the fewest, and how many times as large further ones are. */
const COMPARED = { page_size: 150, growth: 8 };

/** Postings that cost what it costs to read a record and check it: two read units. */
const DEAR = 60;

/** How many times as many candidates a list has as those that are ready, when not all of it is read: at least, or where they are sure to match. */
const LIKELY = { guessed: 2, told: COMPARED.growth };

/** Candidates that are ready where a list is asked for some: half a page. */
const AHEAD = 10;

/**
 * How the lists of words are read for so many candidates. With `keeps`, which asks signatures, the list of one of the words is enough;
 * without, it is enough where the others are long. Further down, where records before the page are not read, all lists
 * decide.
 */
export function readingOf<P extends Posting>(
  clauses: Clauses<OwnedRange<P>>,
  wanted: number,
  keeps?: (posting: P) => boolean,
): Reading<P> {
  const reading = {
    ...{ max_steps: Number.POSITIVE_INFINITY, few: FEW, page_size: pageSize(clauses, wanted) },
    ...(keeps ? { keeps } : {}),
  };
  return clauses.length > 1 && wanted <= READ_BEFORE
    ? { ...reading, ...COMPARED, leads_from: keeps ? 0 : DEAR, ahead: AHEAD }
    : reading;
}

type Unranked = Omit<Candidate, 'tier'>;

interface Listing<P extends Posting> extends Pick<Source, 'exact' | 'tier'> {
  candidateOf(posting: P): Unranked;
  /** Signatures tell of all words. */
  told?: boolean;
}

/** Candidates that posting lists name, in the order of these. */
export function listSource<P extends Posting>(
  found: Conjunction<P>,
  { exact, tier, candidateOf, told = false }: Listing<P>,
): Source {
  let ahead: Promise<void> | undefined;
  return {
    ...{ exact, tier },
    async begin() {
      // Texts are only looked for when titles do not fill the page.
      ahead ??= begun(tier < TIER.text ? found.readAhead() : found.readOn());
      await ahead;
      return found.isRead ? found.ready : found.ready * LIKELY[told ? 'told' : 'guessed'];
    },
    async next() {
      await ahead;
      const listed = await found.nextCandidate();
      if (!listed) return undefined;
      ahead = begun(found.readOn());
      const candidate = { ...candidateOf(listed.posting), tier };
      return listed.isSure ? candidate : { ...candidate, exact: false, guess: told ? 'likely' : 'open' };
    },
  };
}
