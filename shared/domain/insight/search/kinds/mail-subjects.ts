import { begun } from '#shared/begun.ts';
import { inSubject } from '#shared/domain/mail/texts/words.ts';
import type { Candidate, SearchContext, Source } from '../kind.ts';
import type { SearchQuery } from '../query.ts';
import { TIER } from '../tiers.ts';
import { messagesFor, type Place } from './messages.ts';

/**
 * Threads by several words of a subject: by the newest message that has all of them there. What is read of a thread decides whether
 * its own subject has them. The lists of each word name far more threads than have all (docs/decisions/0088).
 */

/** Words that are looked up; further ones are checked on the threads found. */
const MAX_WORDS = 4;

/** The newest message of each thread. */
async function* newestOf(parts: AsyncGenerator<Place[]>): AsyncGenerator<Place> {
  const seen = new Set<string>();
  for await (const places of parts)
    for (const place of places)
      if (!seen.has(place.thread_id)) {
        seen.add(place.thread_id);
        yield place;
      }
}

export function subjectSource(ctx: SearchContext, { terms }: SearchQuery, wanted: number): Source {
  const longest = terms.toSorted(([a = ''], [b = '']) => b.length - a.length).slice(0, MAX_WORDS);
  const words = longest.map((spellings) => spellings.map(inSubject));
  const threads = newestOf(messagesFor(ctx).places(words, wanted));
  let ahead: Promise<IteratorResult<Place>> | undefined;
  return {
    ...{ tier: TIER.title, exact: terms.length <= MAX_WORDS },
    begin() {
      ahead ??= begun(threads.next());
      return undefined;
    },
    async next(): Promise<Candidate | undefined> {
      const { done, value } = await (ahead ?? threads.next());
      ahead = undefined;
      return done ? undefined : { tier: TIER.title, id: value.thread_id, moment: value.moment };
    },
  };
}
