import { inSubject } from '#shared/domain/mail/texts/words.ts';
import type { Candidate, SearchContext, Source } from '../kind.ts';
import { lookedUp, looksUpAll, type SearchQuery } from '../query.ts';
import { TIER } from '../tiers.ts';
import { messagesFor, NewestOfThreads } from './messages.ts';

/**
 * Threads by several words of a subject: by the newest message that has all of them there. What is read of a thread decides whether
 * its own subject has them. The lists of each word name far more threads than have all (docs/decisions/0088).
 */

/** Messages of a thread that have the words in their subjects, as most replies have. */
const OF_A_THREAD = 3;

export function subjectSource(ctx: SearchContext, query: SearchQuery, wanted: number): Source {
  const words = lookedUp(query).map((spellings) => spellings.map(inSubject));
  const threads = new NewestOfThreads(() => messagesFor(ctx).find(words, wanted));
  return {
    ...{ tier: TIER.title, exact: looksUpAll(query) },
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
