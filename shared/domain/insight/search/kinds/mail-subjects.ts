import { inSubject } from '#shared/domain/mail/texts/words.ts';
import type { Candidate, SearchContext, Source } from '../kind.ts';
import type { SearchQuery } from '../query.ts';
import { TIER } from '../tiers.ts';
import { messagesFor, NewestOfThreads } from './messages.ts';

/**
 * Threads by several words of a subject: by the newest message that has all of them there. What is read of a thread decides whether
 * its own subject has them. The lists of each word name far more threads than have all (docs/decisions/0088).
 */

/** Words that are looked up; further ones are checked on the threads found. */
const MAX_WORDS = 4;

/** Messages of a thread that have the words in their subjects, as most replies have. */
const OF_A_THREAD = 3;

export function subjectSource(ctx: SearchContext, { terms }: SearchQuery, wanted: number): Source {
  const longest = terms.toSorted(([a = ''], [b = '']) => b.length - a.length).slice(0, MAX_WORDS);
  const words = longest.map((spellings) => spellings.map(inSubject));
  const threads = new NewestOfThreads(() => messagesFor(ctx).find(words, wanted));
  return {
    ...{ tier: TIER.title, exact: terms.length <= MAX_WORDS },
    begin() {
      void threads.read();
      return undefined;
    },
    likely: async () => (await threads.count()) / OF_A_THREAD,
    isReady: () => threads.isReady,
    async next(): Promise<Candidate | undefined> {
      const [place] = await threads.take(1);
      return place && { tier: TIER.title, id: place.thread_id, moment: place.moment };
    },
  };
}
